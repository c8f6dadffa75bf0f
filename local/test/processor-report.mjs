/**
 * Seconds of processor time of a run of the tests.
 *
 * @typedef {object} ProcessorSeconds
 * @property {Record<string, number>} kinds by kind of process
 * @property {Record<string, number>} files by path, of the files that used most. The processes that
 *   serve all files, such as the Engine and the store of the run, belong to none of them
 */

/** Seconds. Cheaper files are not worth a line. */
const secondsMin = 10

/** How many files a run names. */
const filesMax = 20

/**
 * Returns what a run used. A file that ran in several projects counts with their sum.
 *
 * @param {Pick<import('./verdict.mjs').Report, 'files' | 'processorSeconds'>} report
 * @returns {ProcessorSeconds}
 */
export function processorSecondsOf({ files, processorSeconds = {} }) {
  /** @type {Map<string, number>} */
  const sums = new Map()
  for (const file of files)
    sums.set(file.path, (sums.get(file.path) ?? 0) + (file.processorSeconds ?? 0))
  const worth = [...sums].filter(([, seconds]) => seconds >= secondsMin)
  worth.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return { kinds: processorSeconds, files: Object.fromEntries(worth) }
}

/**
 * Returns the sums of several runs that followed each other.
 *
 * @param {readonly (Record<string, number> | undefined)[]} all
 */
export function joinedSeconds(all) {
  /** @type {Record<string, number>} */
  const sums = {}
  for (const [kind, seconds] of all.flatMap((one) => Object.entries(one ?? {})))
    sums[kind] = (sums[kind] ?? 0) + seconds
  return sums
}

/**
 * Returns lines that say what a run used, and what the last recorded one did.
 *
 * @param {ProcessorSeconds} now
 * @param {ProcessorSeconds | undefined} recorded
 */
export function processorLines(now, recorded) {
  const kinds = Object.entries(now.kinds).sort(([, a], [, b]) => b - a)
  if (kinds.length === 0) return []
  const before = recorded ? `, ${minutes(sumOf(recorded.kinds))} when last recorded` : ''
  const parts = kinds.map(([kind, seconds]) => `${kind} ${minutes(seconds)}`)
  const dearest = Object.entries(now.files).slice(0, filesMax)
  return [
    `processor time: ${minutes(sumOf(now.kinds))} min${before} (${parts.join(', ')})`,
    ...dearest.map(([path, seconds]) => {
      const then = recorded?.files[path]
      return `  ${seconds} s${then === undefined ? '' : `, recorded ${then} s`}: ${path}`
    }),
  ]
}

const sumOf = (/** @type {Record<string, number>} */ seconds) =>
  Object.values(seconds).reduce((sum, one) => sum + one, 0)

const minutes = (/** @type {number} */ seconds) => (seconds / 60).toFixed(1)
