import { existsSync, readFileSync } from 'node:fs'
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
