import type { Mutation } from './mutation.ts'
import type { TestRun } from './test-run.ts'

/**
 * The result of removing a check. An error says nothing about the check: the run itself must be
 * fixed.
 */
export type Verdict =
  | { kind: 'killed'; by: string }
  | { kind: 'survived' }
  | { kind: 'error'; reason: string }

/** Returns what is wrong with the tests listed for a check, or undefined. Runs nothing. */
export function missingTests({ tests }: Pick<Mutation, 'tests'>, files: string[]) {
  if (tests.length === 0) return 'no tests are named'
  const missing = tests.find((test) => !files.some((file) => file.includes(test)))
  return missing && `no test file has \`${missing}\` in its path`
}

/**
 * Returns why the tests of a check cannot judge it, or undefined. `run` is their run without any
 * change.
 */
export function controlProblem(run: TestRun, only?: string): string | undefined {
  const failed = run.failed[0] ?? run.unloaded[0]
  if (failed !== undefined) return `the tests fail without any change: ${failed}`
  if (run.passed === 0 && only !== undefined) return `no test that runs has \`${only}\` in its name`
  if (run.passed === 0) return 'no test runs'
  return brokenRun(run)
}

/**
 * Returns the verdict on a check from the test run without it. The control run must have passed.
 */
export function judge(run: TestRun): Verdict {
  const [by] = run.failed
  if (by !== undefined) return { kind: 'killed', by }
  const [file] = run.unloaded
  if (file !== undefined) {
    return { kind: 'error', reason: `the tests do not run without the check: ${file}` }
  }
  const reason = brokenRun(run)
  return reason === undefined ? { kind: 'survived' } : { kind: 'error', reason }
}

/** Reports an error outside any test, or a run that timed out. */
function brokenRun({ code }: TestRun): string | undefined {
  return code === 0 ? undefined : `no test fails, but the test runner exits with ${code}`
}
