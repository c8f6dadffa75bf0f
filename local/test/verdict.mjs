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
 * @property {number} [processorSeconds] of its process and of the programs that it started
 * @property {Test[]} tests
 * @property {string} [message]
 */

/**
 * What one run of vitest reports.
 *
 * @typedef {object} Report
 * @property {TestFile[]} files
 * @property {string[]} unhandled the first lines of errors that belong to no test
 * @property {Record<string, number>} [processorSeconds] of everything, by kind of process
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
  return unhandled.length === 0 && few ? failed : []
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
    unhandled: [...first.unhandled, ...second.unhandled],
    processorSeconds: first.processorSeconds,
  }
}

/** Returns a line for each failed test of a file, and for its error outside of its tests. */
function failuresIn(/** @type {TestFile} */ { path, tests, message }) {
  const failed = tests.filter(({ state }) => state === 'failed')
  const isOutside = message !== undefined || failed.length === 0
  const outside = isOutside ? [{ name: '(outside of its tests)', message }] : []
  return [...failed, ...outside].map(
    (one) => `${path} › ${one.name}: ${one.message ?? 'no message'}`,
  )
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
    .flatMap(failuresIn)
    .map((line) => `passed on second run: ${line}`)
}

/**
 * Returns one line for each failure, to be printed last: the end of the output is what people read.
 *
 * @param {Report} report
 * @param {boolean} succeeded whether each run that failed was repeated with success
 */
export function failures({ files, unhandled }, succeeded) {
  const known = [
    ...files.filter(isFailed).flatMap(failuresIn),
    ...unhandled.map((message) => `(outside of all files): ${message}`),
  ]
  const unknown = known.length === 0 && !succeeded ? ['vitest failed without a failed test'] : []
  return [...known, ...unknown].map((line) => `failed: ${line}`)
}

/** Returns how many tests passed. */
export const passedIn = (/** @type {Report} */ { files }) =>
  files.flatMap((file) => file.tests).filter(({ state }) => state === 'passed').length
