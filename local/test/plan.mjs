import { workers } from './workers.mjs'

const isTiming = /\.timing\.test\.ts$/

/**
 * Returns what a run of all tests does, with the minutes of each tier, in one line.
 *
 * @param {import('./durations.mjs').Durations} recorded
 * @param {boolean} [all] whether the second ring runs, too, whose minutes are not recorded
 */
export function planOf({ commit, seconds, files }, all = false) {
  const ofTiming = Object.entries(files).reduce(
    (sum, [path, one]) => sum + (isTiming.test(path) ? one : 0),
    0,
  )
  const timing = ofTiming / workers.timing
  const tiers = { unit: seconds.unit, engine: seconds.rest - timing, timing }
  const parts = Object.entries(tiers).map(([tier, one]) => `${tier} ${minutes(one)} min`)
  const total = minutes(seconds.unit + seconds.rest)
  const more = all ? ', and the second ring after them' : ''
  return `Running all tests, in ${total} min when recorded at ${commit.slice(0, 8)}: ${parts.join(', ')}${more}`
}

const minutes = (/** @type {number} */ seconds) => Math.max(1, Math.round(seconds / 60))
