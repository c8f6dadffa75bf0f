import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { paced } from './pace.ts'
import { newPlace, setUpAdmin, startIn, until } from './service.ts'

/** Makes the service reject a promise without a handler on SIGUSR2. Its child processes do not. */
const plant = `
  if (/service\\.js$/.test(process.argv[1] ?? ''))
    process.once('SIGUSR2', () => void Promise.reject(new Error('planted')))`

test('a service that logs an unhandled error fails the test that started it', {
  timeout: paced(60_000),
}, async () => {
  const place = newPlace({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(plant)}`,
  })
  const running = await startIn(place)
  const token = await setUpAdmin(place, running)
  running.child.kill('SIGUSR2')
  const count = async () => {
    const headers = { Authorization: `Bearer ${token}` }
    const text = await (await fetch(`${running.url}/api/v1/metrics`, { headers })).text()
    return /^container_stacks_unhandled_errors_total\{kind="rejection"\} (\d+)$/m.exec(text)?.[1]
  }
  expect(await until(count, (value) => value === '1', 10)).toBe('1')
  await expect(place.remove()).rejects.toThrow(/nothing handled this:\n.*planted/)
})

test('a service without such an error does not fail the test', async () => {
  const place = newPlace()
  await startIn(place)
  await place.remove()
})

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Runs vitest with the configuration of our project with this index on one test with this body.
 * Returns the exit code.
 */
function exitCodeOf(project: number, body: string): number | null {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-vitest-'))
  try {
    const config = `
      import config from '${root}vitest.config.ts'
      const { projects, ...common } = config.test
      const own = { globalSetup: [], setupFiles: [], globals: true, include: ['*.test.mjs'] }
      const test = { ...common, ...projects[${project}].test, ...own }
      export default { ...config, test }`
    writeFileSync(join(directory, 'vitest.config.mjs'), config)
    writeFileSync(join(directory, 'a.test.mjs'), `test('a', async () => {${body}})`)
    const program = join(root, 'node_modules/vitest/vitest.mjs')
    const words = [program, 'run', '--root', directory]
    return spawnSync(process.execPath, words, { cwd: directory, timeout: paced(60_000) }).status
  } finally {
    rmSync(directory, { recursive: true })
  }
}

test.each([0, 1])(
  'vitest fails a run with an unhandled rejection (project %i)',
  {
    timeout: paced(120_000),
  },
  (project) => {
    const wait = 'await new Promise((resolve) => setTimeout(resolve, 50))'
    expect(exitCodeOf(project, wait)).toBe(0)
    expect(exitCodeOf(project, `void Promise.reject(new Error('planted')); ${wait}`)).toBe(1)
  },
)
