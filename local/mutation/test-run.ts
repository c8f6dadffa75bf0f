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

/** The part of the runner's JSON report that is read. */
interface Report {
  testResults: { name: string; status: string; assertionResults: ReportedTest[] }[]
}

interface ReportedTest {
  fullName: string
  status: string
}

/** Parses the JSON report of a run that exited with `code`. */
export function testRun({ testResults: files }: Report, code: number): TestRun {
  const tests = files.flatMap(({ assertionResults }) => assertionResults)
  const named = (status: string) => tests.filter((test) => test.status === status)
  const isRed = (test: ReportedTest) => test.status === 'failed'
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
