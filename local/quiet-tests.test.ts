import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import config from '../vitest.config.ts'
import { present } from './harness/present.ts'
import { quietTests, sharingFolders, waitingTests } from './quiet-tests.ts'
import { sourcesUnder } from './rules/source.ts'

const root = join(import.meta.dirname, '..')

test('every test file that needs a quiet machine exists, says why, and is listed once', () => {
  expect(Object.keys(waitingTests).filter((path) => Object.hasOwn(quietTests, path))).toEqual([])
  for (const [path, why] of Object.entries({ ...quietTests, ...waitingTests })) {
    expect(existsSync(join(root, path)), path).toBe(true)
    expect(why, path).not.toBe('')
  }
})

test('no test is repeated because it failed', () => {
  const { projects, ...common } = present(config.test)
  const all = [common, ...present(projects).map((project) => (project as { test: object }).test)]
  for (const options of all) expect(options).not.toHaveProperty('retry')
})

/** Changes that the next test file in the same process would notice. */
const lasting =
  /\bvi\.(?:do)?(?:mock|stub|setSystemTime|useFakeTimers|setConfig)|\bprocess\.(?:on\(|chdir|env\.\w+ =[^=])|\bglobalThis\.\w+ =[^=]/i

test('tests that share a process leave nothing changed', () => {
  const found = sharingFolders
    .flatMap((folder) => sourcesUnder(folder, ['.test.ts']))
    .filter(({ text }) => lasting.test(text))
  expect(found.map(({ path }) => path)).toEqual([])
})

test.each([
  "vi.mock('./a.ts')",
  "vi.stubEnv('A', '1')",
  'vi.useFakeTimers()',
  "process.env.A = '1'",
  'process.on(signal, act)',
  'globalThis.fetch = none',
])('finds what lasts: %s', (text) => expect(text).toMatch(lasting))
