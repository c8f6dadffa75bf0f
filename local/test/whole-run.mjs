import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { changedSince, currentCommit } from './changes.mjs'
import { recordDurations, recordedDurations } from './durations.mjs'
import { filesOfLanding, landingNumber, linesOfLivedIn, livedInVariable } from './lived-in.mjs'
import { forecast, paceOf, paceOfRest, paceVariable } from './pace.mjs'
import { planOf } from './plan.mjs'
import { processorLines, processorSecondsOf } from './processor-report.mjs'
import { leftOutVariable, leftOutWhenSlow, secondRing } from './second-ring.mjs'
import { joined, runTests } from './vitest-run.mjs'

/** The projects of vitest that only `npm test -- --all` runs, one after another. */
export const projectsOfSecondRing = [
  'engine-lagging-store',
  'scenarios-lagging-store',
  'scenarios-functions',
]

/** The environment variable with the time in seconds at which `.ci/run` began. */
const beganVariable = 'CONTAINER_STACKS_RUN_BEGAN'

/** When this run began, in milliseconds. */
const began = Number(process.env[beganVariable] ?? Date.now() / 1000) * 1000
const elapsed = () => (Date.now() - began) / 1000

/**
 * Runs all tests: the unit tier first, which shows how fast this machine is, then all others. If
 * they would take too long, some are left out and named: those that the change cannot break, then
 * those that repeat what others show.
 *
 * @typedef {object} WholeRun
 * @property {string[]} leftOut paths
 * @property {Record<string, string>} variables of the environment, for tests that run once more
 *
 * @param {object} options
 * @param {Record<string, string>} options.ring variables of the ring
 * @param {boolean} options.all whether that is the second ring
 * @param {boolean} options.records writes the durations of a run without failures
 * @returns {import('./vitest-run.mjs').Run & WholeRun}
 */
export function runAll({ ring, all, records }) {
  const recorded = recordedDurations()
  console.log(planOf(recorded, all))
  const livedIn = filesOfLanding(landingNumber())
  for (const line of linesOfLivedIn(livedIn)) console.log(line)
  const changed = changedSince(recorded.commit)
  const repeated = all ? [] : filesOfSecondRing(changed)
  const unit = runTests(['--project=unit*'], ring)
  const pace = paceOfRest(paceOf(unit.seconds, recorded.seconds.unit))
  const { minutes: expected, leftOut } = forecast({
    pace,
    elapsed: elapsed(),
    seconds: recorded.seconds.rest,
    files: recorded.files,
    untouched: all || records || !changed ? [] : untouchedBy(changed),
    repeating: all || records ? [] : leftOutWhenSlow,
  })
  console.log(`\npace ${pace}, forecast ${expected} min`)
  for (const line of linesOf(leftOut)) console.log(line)
  const inWorld = { [livedInVariable]: livedIn.join(',') }
  const variables = { ...inWorld, ...ring, [paceVariable]: String(pace) }
  const leavingOut = { [leftOutVariable]: [...repeated, ...leftOut].join(',') }
  const rest = runTests(['--project=!unit*'], { ...variables, ...leavingOut })
  if (records && unit.succeeded && rest.succeeded) {
    const seconds = { unit: Math.round(unit.seconds), rest: Math.round(rest.seconds) }
    recordDurations(joined([unit, rest]).report, { commit: currentCommit(), seconds })
  }
  const more = all
    ? projectsOfSecondRing.map((name) => runTests([`--project=${name}`], variables))
    : []
  const run = joined([unit, rest, ...more])
  for (const line of processorLines(processorSecondsOf(run.report), recorded.processor))
    console.log(line)
  return { ...run, leftOut, variables }
}

/** Returns a line for each file that a run leaves out because this machine is slow. */
export const linesOf = (/** @type {readonly string[]} */ leftOut) =>
  leftOut.map((path) => {
    const reason = leftOutWhenSlow.includes(path) ? 'others show the same' : 'no change touches it'
    return `left out, for lack of time: ${path} (${reason})`
  })

/** Returns the files that only the second ring runs, without those that the change brings back. */
function filesOfSecondRing(/** @type {readonly string[] | undefined} */ changed) {
  const isChanged = (/** @type {string} */ place) =>
    !changed || changed.some((path) => path.startsWith(place))
  return secondRing
    .filter(({ whole, unlessChanged = [] }) => whole && !unlessChanged.some(isChanged))
    .map(({ file }) => file)
}

/**
 * @param {readonly string[]} changed
 * @returns {string[]}
 */
function untouchedBy(changed) {
  const program = fileURLToPath(new URL('print-untouched.ts', import.meta.url))
  const { stdout, status } = spawnSync('npx', ['tsx', program], {
    input: changed.join('\n'),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return status === 0 ? stdout.split('\n').filter(Boolean) : []
}
