import { writeFileSync } from 'node:fs'

/** Shorter files need no place of their own in the order. */
const secondsMin = 3

const place = new URL('durations.json', import.meta.url)

/**
 * Writes how many seconds the longer test files took, for the order in which they start. A file
 * that runs in several projects counts with its longest run.
 *
 * @param {import('./verdict.mjs').Report} report
 */
export function recordDurations({ files }) {
  /** @type {Record<string, number>} */
  const seconds = {}
  for (const { path, milliseconds } of files) {
    const rounded = Math.round(milliseconds / 1000)
    if (rounded >= secondsMin) seconds[path] = Math.max(rounded, seconds[path] ?? 0)
  }
  const sorted = Object.entries(seconds).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(place, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
