/** How much slower than recorded this machine is. Environment variable for the tests of a run. */
export const paceVariable = 'CONTAINER_STACKS_TEST_PACE'

/**
 * Minutes. A whole run that would take longer leaves out tests. One that takes 90 minutes counts as
 * failed, and the forecast knows neither what runs a second time nor what was added since.
 */
export const forecastMax = 45

/**
 * Returns how many times slower than the recorded run this machine is, at least 1, with one
 * decimal. Seconds.
 *
 * @param {number} measured
 * @param {number} recorded
 */
export function paceOf(measured, recorded) {
  return recorded > 0 ? Math.max(1, Math.round((measured / recorded) * 10) / 10) : 1
}

/**
 * Returns the pace of the tests after the unit tier. They start programs and browsers, which slows
 * down more than what one program does: at a pace of 1.7 they took 2.6 times as long.
 *
 * @param {number} pace of the unit tier
 */
export const paceOfRest = (pace) => Math.round((1 + 2.2 * (pace - 1)) * 10) / 10

/**
 * What a whole run still has to do, and what it may leave out.
 *
 * @typedef {object} Remaining
 * @property {number} pace
 * @property {number} elapsed seconds since the run began
 * @property {number} seconds how long the rest took when it was recorded
 * @property {Record<string, number>} files seconds of its longer files, by path. Several run at a
 *   time, so their sum is more than `seconds`
 * @property {readonly string[]} untouched paths of the files that the change cannot break
 * @property {readonly string[]} repeating paths of the files that repeat harder what others show
 */

/**
 * Returns how many minutes the whole run takes, and the files to leave out so that it fits: the
 * longest that the change cannot break, then the longest that repeat what others show, and no more
 * than needed.
 *
 * @param {Remaining} remaining
 * @returns {{ minutes: number, leftOut: string[] }}
 */
export function forecast({ pace, elapsed, seconds, files, untouched, repeating }) {
  const sum = Object.values(files).reduce((total, one) => total + one, 0)
  const atATime = Math.max(1, seconds > 0 ? sum / seconds : 1)
  const longestOf = (/** @type {readonly string[]} */ paths) =>
    paths
      .filter((path) => files[path] !== undefined)
      .sort((a, b) => (files[b] ?? 0) - (files[a] ?? 0))
  const inOrder = new Set([...longestOf(untouched), ...longestOf(repeating)])
  const minutesWithout = (/** @type {readonly string[]} */ paths) => {
    const saved = paths.reduce((total, path) => total + (files[path] ?? 0), 0) / atATime
    return Math.ceil((elapsed + pace * (seconds - saved)) / 60)
  }
  /** @type {string[]} */
  const leftOut = []
  for (const path of inOrder) {
    if (minutesWithout(leftOut) <= forecastMax) break
    leftOut.push(path)
  }
  return { minutes: minutesWithout(leftOut), leftOut }
}
