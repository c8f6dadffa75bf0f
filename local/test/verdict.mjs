/**
 * How a test ended.
 *
 * @typedef {object} Test
 * @property {string} name
 * @property {string} state `passed`, `failed` or `skipped`
 * @property {string} [message] the first line of its first error
 */

/**
 * How a test file ended in one project. `message` is of an error outside of its tests, such as in
 * a hook.
 *
 * @typedef {object} TestFile
 * @property {string} path
 * @property {string} project
 * @property {string} state
 * @property {number} milliseconds
 * @property {Test[]} tests
 * @property {string} [message]
 */

/**
 * What one run of vitest reports.
 *
 * @typedef {object} Report
 * @property {TestFile[]} files
 * @property {number} unhandled errors that belong to no test
 */

/** More failed files than this are no chance, and none is repeated. */
export const repeatsMax = 6

const mayRepeat = /\.(engine|timing)\.test\.ts$/

/** Returns whether a file failed, in a test or outside of its tests. */
const isFailed = (/** @type {TestFile} */ { state, tests, message }) =>
  state === 'failed' || message !== undefined || tests.some((test) => test.state === 'failed')

/**
 * Returns the paths of the files to run again, alone: those that failed, if they are few and all of
 * the engine or timing tier. Returns none if anything else went wrong.
 *
 * @param {Report} report
 * @returns {string[]}
 */
export function filesToRepeat({ files, unhandled }) {
  const failed = [...new Set(files.filter(isFailed).map(({ path }) => path))]
  const few = failed.length <= repeatsMax && failed.every((path) => mayRepeat.test(path))
  return unhandled === 0 && few ? failed : []
}

/**
 * Returns the report in which the files of a second run replace those of the first.
 *
 * @param {Report} first
 * @param {Report} second
 * @returns {Report}
 */
export function merged(first, second) {
  const keyOf = (/** @type {TestFile} */ { path, project }) => `${project} ${path}`
  const again = new Map(second.files.map((file) => [keyOf(file), file]))
  return {
    files: first.files.map((file) => again.get(keyOf(file)) ?? file),
    unhandled: first.unhandled + second.unhandled,
  }
}

/**
 * Returns one line for each test that failed in the first run and passed in the second, and for
 * each error outside of the tests.
 *
 * @param {Report} first
 * @param {Report} second
 */
export function secondRuns(first, second) {
  const passed = second.files.filter((file) => !isFailed(file))
  const again = passed.map(({ path, project }) => `${project} ${path}`)
  return first.files
    .filter((file) => isFailed(file) && again.includes(`${file.project} ${file.path}`))
    .flatMap(({ path, tests, message }) => {
      const failed = tests.filter(({ state }) => state === 'failed')
      const outside = message === undefined ? [] : [{ name: '(outside of its tests)', message }]
      return [...failed, ...outside].map(
        (one) => `passed on second run: ${path} › ${one.name}: ${one.message ?? 'no message'}`,
      )
    })
}

/**
 * Counts the tests. A file that failed outside of its tests counts as a failed test, and so do
 * errors that belong to no test, and a run that failed without any failed test.
 *
 * @param {Report} report
 * @param {boolean} succeeded whether each run that failed was repeated with success
 */
export function countsOf({ files, unhandled }, succeeded) {
  const tests = files.flatMap((file) => file.tests)
  const inTests = tests.filter(({ state }) => state === 'failed').length
  const outside = files.filter(
    (file) => isFailed(file) && !file.tests.some(({ state }) => state === 'failed'),
  ).length
  const known = inTests + outside + unhandled
  return {
    passed: tests.filter(({ state }) => state === 'passed').length,
    failed: known === 0 && !succeeded ? 1 : known,
  }
}
