import { readFileSync, writeFileSync } from 'node:fs'
import { processorSecondsOf } from './processor-report.mjs'

/** Shorter files need no place of their own in the order. */
const secondsMin = 3

const place = new URL('durations.json', import.meta.url)

/**
 * What a run of all tests took, on a machine that did nothing else.
 *
 * @typedef {object} Durations
 * @property {string} commit what it ran on
 * @property {{ unit: number, rest: number }} seconds of the unit tier, and of all that follows it
 * @property {Record<string, number>} files seconds of the longer test files, by path
 * @property {import('./processor-report.mjs').ProcessorSeconds} [processor]
 */

/** @returns {Durations} */
export const recordedDurations = () => JSON.parse(readFileSync(place, 'utf8'))

/**
 * Writes how long a run took: for the order in which files start, and for the pace and the forecast
 * of the next runs. A file that runs in several projects counts with its longest run.
 *
 * @param {import('./verdict.mjs').Report} report
 * @param {Pick<Durations, 'commit' | 'seconds'>} run
 */
export function recordDurations(report, run) {
  /** @type {Record<string, number>} */
  const seconds = {}
  for (const { path, milliseconds } of report.files) {
    const rounded = Math.round(milliseconds / 1000)
    if (rounded >= secondsMin) seconds[path] = Math.max(rounded, seconds[path] ?? 0)
  }
  const sorted = Object.entries(seconds).sort(([a], [b]) => (a < b ? -1 : 1))
  const processor = processorSecondsOf(report)
  const durations = { ...run, files: Object.fromEntries(sorted), processor }
  writeFileSync(place, `${JSON.stringify(durations, null, 2)}\n`)
}
