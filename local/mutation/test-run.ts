/** What one run of tests found. */
export interface TestRun {
  /** How many tests passed. */
  passed: number
  /** The full names of the tests that failed. */
  failed: string[]
  /** The files that failed outside a test: most often, they do not load. */
  unloaded: string[]
  /** The exit code of the test runner. */
  code: number
}

/** Reads the JSON report of a run that ended with `code`. */
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
