import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mutation } from './mutation.ts'
import { type TestRun, testRun } from './test-run.ts'

const copied = [
  'functions',
  'adapters',
  'cli',
  'local',
  'openapi',
  'packaging',
  'docs',
  'examples',
  'README.md',
  'LICENSE',
  'biome.json',
  'serverless.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** The tests find the store through the environment, like the tests of the tree. */
const config = `import { defineConfig } from 'vitest/config'
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
`
const runTime = 10 * 60_000

/** A copy of the tree in which checks can be removed. */
export interface Copy {
  directory: string
  /** The paths of all test files, relative to the top of the copy. */
  testFiles: string[]
  /**
   * Removes a check. Returns a function that restores it. Throws unless the file contains the text
   * exactly once.
   */
  remove(mutation: Mutation): () => void
  /** Runs tests and returns the results. `bail` stops at the first failure. */
  test(tests: Pick<Mutation, 'tests' | 'only'>, options?: { bail: boolean }): Promise<TestRun>
  drop(): void
}

/** Copies the tree at `root`. `modules` is the folder of its packages. */
export function makeCopy(root: string, modules = join(root, 'node_modules')): Copy {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-mutation-'))
  for (const name of copied.filter((name) => existsSync(join(root, name)))) {
    cpSync(join(root, name), join(directory, name), { recursive: true })
  }
  const testFiles = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  symlinkSync(modules, join(directory, 'node_modules'))
  writeFileSync(join(directory, 'vitest.config.ts'), config)
  return {
    directory,
    testFiles: testFiles.filter((file) => file.endsWith('.test.ts')),
    remove: (mutation) => remove(directory, mutation),
    test: (tests, { bail } = { bail: false }) => runTests(directory, tests, bail),
    drop: () => rmSync(directory, { recursive: true, force: true }),
  }
}

function remove(directory: string, { file, text, without }: Mutation): () => void {
  const path = join(directory, file)
  const before = readFileSync(path, 'utf8')
  if (before.split(text).length !== 2) {
    throw new Error(`the file does not contain the text exactly once: ${text}`)
  }
  writeFileSync(
    path,
    before.replace(text, () => without),
  )
  return () => writeFileSync(path, before)
}

async function runTests(
  directory: string,
  { tests, only }: Pick<Mutation, 'tests' | 'only'>,
  bail: boolean,
): Promise<TestRun> {
  // A name with a dot, because the rules of the tree restrict the other names at its top.
  const report = join(directory, '.report.json')
  rmSync(report, { force: true })
  const options = ['--reporter=json', `--outputFile=${report}`]
  if (only !== undefined) options.push('-t', only)
  if (bail) options.push('--bail=1')
  const program = join(directory, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [program, 'run', ...options, ...tests], {
    cwd: directory,
    stdio: 'ignore',
    timeout: runTime,
    killSignal: 'SIGKILL',
  })
  const code = await new Promise<number>((resolve) => child.once('exit', (it) => resolve(it ?? 1)))
  if (!existsSync(report)) return { passed: 0, failed: [], unloaded: tests, code }
  return testRun(JSON.parse(readFileSync(report, 'utf8')), code)
}
