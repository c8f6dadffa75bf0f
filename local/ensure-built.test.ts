import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const program = fileURLToPath(new URL('ensure-built.mjs', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'ensure-built-'))
afterAll(() => rmSync(root, { recursive: true }))

/** Writes a file that was changed this many seconds after the build. */
function givenFile(path: string, seconds: number, text = '') {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  utimesSync(join(root, path), 1_800_000_000 + seconds, 1_800_000_000 + seconds)
}

/** Runs the program in the root. Returns whether it built. `run` is the id of a test run. */
function builds(run?: string) {
  rmSync(join(root, 'built'), { force: true })
  const { CONTAINER_STACKS_TEST_RUN: _, ...env } = process.env
  execFileSync(process.execPath, [join(root, 'local/ensure-built.mjs')], {
    cwd: root,
    env: run === undefined ? env : { ...env, CONTAINER_STACKS_TEST_RUN: run },
  })
  return existsSync(join(root, 'built'))
}

test('builds for a changed source, not for packages, generated types or below other tests', () => {
  const build = `import { writeFileSync } from 'node:fs'
export const build = () => writeFileSync('built', '')
`
  givenFile('package.json', -1, '{}')
  givenFile('packaging/build/build.mjs', -1, build)
  cpSync(program, join(root, 'local/ensure-built.mjs'))
  utimesSync(join(root, 'local/ensure-built.mjs'), 0, 0)
  givenFile('cli/main.ts', -1)
  expect(builds()).toBe(true)
  expect(builds('a1b2c3')).toBe(true)
  givenFile('dist/service.js', 0)
  expect(builds()).toBe(false)
  givenFile('local/node-24/node_modules/node/index.js', 1)
  givenFile('web/data/api.types.ts', 1)
  expect(builds()).toBe(false)
  givenFile('cli/main.ts', 1)
  expect(builds('a1b2c3')).toBe(false)
  expect(builds()).toBe(true)
})
