import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { changedSince, mainBase } from './changes.mjs'

/** Chooses the tests that a change can break most likely, for a first answer. */
export const changedFlag = '--changed'

const mayNeedEngine = /\.(?:engine|timing)\.test\.ts$/
/** How many tests are printed with the reason why they run. */
const printedMax = 20
/** Minutes that a build and the start of the tests take. */
const startMinutes = 0.5

/**
 * What `npm test -- --changed` runs.
 *
 * @typedef {object} ChangedRun
 * @property {string[]} paths of the test files
 * @property {boolean} needsEngine whether one needs a Docker Engine, or another thing of a machine
 * @property {string[]} lines to print first
 * @property {string} [leftOut] to print last, if the change can break other tests, too
 * @property {string} [problem] why nothing can be chosen
 */

/**
 * Chooses the tests for what differs from a commit, or from where this branch left the main one.
 * New files count, and so does what is not committed.
 *
 * @param {string | undefined} commit
 * @returns {ChangedRun}
 */
export function chooseChanged(commit) {
  const base = commit ?? mainBase()
  const changed = base && changedSince(base)
  if (!base || !changed) {
    const problem = commit
      ? `this clone does not have the commit ${commit}`
      : 'this clone has no branch main or origin/main: name a commit, as --changed <commit>'
    return { paths: [], needsEngine: false, lines: [], problem }
  }
  const program = fileURLToPath(new URL('print-first-answer.ts', import.meta.url))
  const { stdout, status } = spawnSync('npx', ['tsx', program], {
    input: changed.join('\n'),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) return { paths: [], needsEngine: false, lines: [], problem: 'see above' }
  return describeRun(JSON.parse(stdout), { changed: changed.length, base })
}

/**
 * Returns what to run and to print.
 *
 * @param {import('./first-answer.ts').FirstAnswer} answer
 * @param {{ changed: number, base: string }} change how many files differ from which commit
 * @returns {ChangedRun}
 */
export function describeRun({ chosen, leftOut }, { changed, base }) {
  const paths = chosen.map(({ path }) => path)
  const change = `${counted(changed, 'file')} changed since ${base.slice(0, 8)}`
  if (paths.length === 0) {
    return { paths, needsEngine: false, lines: [`${change}: no test depends on them`] }
  }
  const minutes = chosen.reduce((sum, { seconds }) => sum + seconds / 60, startMinutes)
  const more = paths.length - printedMax
  const lines = [
    `${change}. Running ${counted(paths.length, 'test file')}, the nearest to the change first:`,
    ...chosen.slice(0, printedMax).map(({ path, reason }) => `  ${path} (${reason})`),
    ...(more > 0 ? [`  and ${counted(more, 'test file')} that it touches less directly`] : []),
    `About ${Math.ceil(minutes)} min, as last recorded. npm test runs everything.`,
  ]
  return {
    paths,
    needsEngine: paths.some((path) => mayNeedEngine.test(path)),
    lines,
    leftOut: leftOut.length === 0 ? undefined : lineOf(leftOut),
  }
}

function lineOf(/** @type {readonly string[]} */ leftOut) {
  const engine = leftOut.filter((path) => mayNeedEngine.test(path)).length
  const unit = leftOut.length - engine
  const counts = [
    ...(unit > 0 ? [counted(unit, 'unit test file')] : []),
    ...(engine > 0 ? [`${counted(engine, 'file')} of the engine and timing tiers`] : []),
  ]
  return `left out: ${counts.join(' and ')} that the change can also break. npm test runs them.`
}

const counted = (/** @type {number} */ count, /** @type {string} */ word) =>
  `${count} ${word}${count === 1 ? '' : 's'}`
