import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { exceptions, reasonAgainst } from './exceptions.ts'

const scenario = (file: string) =>
  fileURLToPath(new URL(`../../scenarios/${file}.engine.test.ts`, import.meta.url))

test('each exception names a scenario, and a test that it has', () => {
  for (const { file, test: name = '' } of exceptions) {
    expect(readFileSync(scenario(file), 'utf8'), `${file} › ${name}`).toContain(name)
  }
})

test('a test is left out of its file alone', () => {
  for (const { file, test: name, reason } of exceptions) {
    if (!name) continue
    expect(reasonAgainst(scenario(file), name)).toBe(reason)
    expect(reasonAgainst(scenario('main-job'), name)).toBeUndefined()
  }
})
