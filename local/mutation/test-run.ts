/** The results of one test run. */
export interface TestRun {
  /** Number of tests that passed. */
  passed: number
  /** Full names of the tests that failed. */
  failed: string[]
  /** Files that failed outside a test, usually because they do not load. */
  unloaded: string[]
  /** Exit code of the test runner. */
  code: number
}

/** Parses the JSON report of a run that exited with `code`. */
export function testRun(report: any, code: number): TestRun {
  const files: any[] = report.testResults
  const tests: any[] = files.flatMap(({ assertionResults }) => assertionResults)
  const named = (status: string) => tests.filter((test) => test.status === status)
  const isRed = (test: any) => test.status === 'failed'
  return {
    passed: named('passed').length,
    failed: named('failed').map(({ fullName }) => fullName.trim()),
    unloaded: files
      .filter(
        ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isRed),
      )
      .map(({ name }) => name),
    code,
  }
}
