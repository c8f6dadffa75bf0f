import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { sourcesUnder } from '../rules/source.ts'
import { missingTests } from './judge.ts'
import { listedChecks } from './lists.ts'

test('every listed check occurs in its file exactly once', async () => {
  const all = await listedChecks()
  expect(all.length).toBeGreaterThan(100)
  const gone = all.filter(({ file, text }) => {
    return !existsSync(file) || readFileSync(file, 'utf8').split(text).length !== 2
  })
  expect(gone.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
})

test('the test files of every listed check exist', async () => {
  const files = ['functions', 'adapters', 'cli', 'local']
    .flatMap((room) => sourcesUnder(room, ['.test.ts']))
    .map(({ path }) => path)
  const missing = (await listedChecks()).map((check) => missingTests(check, files))
  expect(missing.filter((problem) => problem !== undefined)).toEqual([])
})

test('the tests that a listed check selects by name exist', async () => {
  const sources = ['functions', 'adapters', 'local'].flatMap((room) => sourcesUnder(room))
  const unknown = (await listedChecks()).filter(({ tests, only }) => {
    if (only === undefined) return false
    const files = sources.filter(({ path }) => tests.some((test) => path.includes(test)))
    // A suite takes names from other files of its folder.
    const folders = new Set(files.map(({ path }) => dirname(path)))
    return !sources.some(({ path, text }) => folders.has(dirname(path)) && text.includes(only))
  })
  expect(unknown.map(({ file, name, only }) => `${file}: ${name}: ${only}`)).toEqual([])
})
