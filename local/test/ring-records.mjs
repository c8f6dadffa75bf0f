import { readFileSync, writeFileSync } from 'node:fs'
import { currentCommit, uncommittedFiles } from './changes.mjs'
import { mainTestsPart, nodePart, parts } from './second-ring-parts.mjs'
import { failures, passedIn } from './verdict.mjs'
import { projectsOfSecondRing } from './whole-run.mjs'

/**
 * The last whole run of a part of the second ring.
 *
 * @typedef {object} RingRecord
 * @property {string} date as 2026-11-28
 * @property {string} commit what it ran on
 * @property {number} passed
 * @property {number} failed
 *
 * @typedef {Record<string, RingRecord>} RingRecords by the name of the part
 * @typedef {Record<string, { passed: number, failed: number }>} RingResults by the name of the part
 */

const file = 'local/test/second-ring-runs.json'
const page = 'docs/contributing/second-ring.md'
const markers = /(<!-- runs of the second ring -->\n\n)[\s\S]*?(\n\n<!-- end of runs -->)/

/** What a run of the second ring may write. Changes of others are not in the recorded commit. */
const written = [file, page, 'local/test/durations.json', 'docs/reference/checks.md']

const placeOf = (/** @type {string} */ path) => new URL(`../../${path}`, import.meta.url)

/** @returns {RingRecords} */
export const recordedRuns = () => JSON.parse(readFileSync(placeOf(file), 'utf8'))

/**
 * Returns how the parts of the second ring ended in a run of `npm test -- --all`. A part that did
 * not run whole is missing, and so is one without a single test. After an error that belongs to no
 * test, all of them are.
 *
 * @param {import('./verdict.mjs').Report} report
 * @param {readonly string[]} words of the command line, without `--all`
 * @returns {RingResults}
 */
export function resultsIn({ files, unhandled }, words) {
  const paths = words.filter((word) => !word.startsWith('--project='))
  if (unhandled.length > 0 || paths.some((word) => word.startsWith('-'))) return {}
  /** @type {RingResults} */
  const results = {}
  for (const { name } of parts) {
    const isProject = projectsOfSecondRing.includes(name)
    const own = files.filter(({ path, project }) =>
      isProject ? project === name : path === name && !projectsOfSecondRing.includes(project),
    )
    const result = countsOf(own)
    if (result.passed + result.failed > 0 && !(isProject && paths.length > 0))
      results[name] = result
  }
  return results
}

const countsOf = (/** @type {import('./verdict.mjs').TestFile[]} */ files) => ({
  passed: passedIn({ files, unhandled: [] }),
  failed: failures({ files, unhandled: [] }, true).length,
})

/**
 * Returns the results of a run of both rings: those of the report, of the newer Engine and of this
 * version of Node.js.
 *
 * @param {import('./verdict.mjs').Report} report
 * @param {{ passed: number, failed: number } | undefined} newer undefined if it cannot run here
 * @param {number} [node] the major version of Node.js
 * @returns {RingResults}
 */
export function resultsOfAll(report, newer, node = Number.parseInt(process.versions.node, 10)) {
  const counts = countsOf(report.files)
  const isPart = parts.some(({ name }) => name === nodePart(node))
  return {
    ...resultsIn(report, []),
    ...(newer ? { [mainTestsPart]: newer } : {}),
    ...(isPart && report.unhandled.length === 0 ? { [nodePart(node)]: counts } : {}),
  }
}

/**
 * Writes how parts ended, and the table in docs/contributing. Prints what is recorded. Records
 * nothing if files differ from the commit, because the results would not be those of the commit.
 *
 * @param {RingResults} results
 */
export function recordRuns(results) {
  const names = Object.keys(results)
  if (names.length === 0) return
  const differing = uncommittedFiles().filter((path) => !written.includes(path))
  if (differing.length > 0) {
    console.log(`second ring not recorded: ${differing[0]} is not committed`)
    return
  }
  const run = { date: new Date().toISOString().slice(0, 10), commit: currentCommit() }
  const records = merge(recordedRuns(), results, run)
  writeFileSync(placeOf(file), `${JSON.stringify(records, null, 2)}\n`)
  const text = readFileSync(placeOf(page), 'utf8')
  writeFileSync(placeOf(page), text.replace(markers, `$1${runsTable(records)}$2`))
  console.log(`recorded in ${file} and ${page}: ${names.join(', ')}`)
}

/**
 * Returns the records with those of a run, sorted by name.
 *
 * @param {RingRecords} records
 * @param {RingResults} results
 * @param {{ date: string, commit: string }} run
 * @returns {RingRecords}
 */
export function merge(records, results, { date, commit }) {
  const all = { ...records }
  for (const [name, { passed, failed }] of Object.entries(results))
    all[name] = { date, commit, passed, failed }
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the table of the last runs, as in docs/contributing. */
export const runsTable = (/** @type {RingRecords} */ records) =>
  [
    '| part | last run | commit | result | run it with |',
    '|---|---|---|---|---|',
    ...parts.map(({ name, command }) => {
      const cells = cellsOf(Object.hasOwn(records, name) ? records[name] : undefined)
      return `| ${name.includes('/') ? `\`${name}\`` : name} | ${cells} | \`${command}\` |`
    }),
  ].join('\n')

/** Returns the table in a text of that page, or an empty text. */
export const runsTableIn = (/** @type {string} */ text) =>
  markers.exec(text)?.[0].split('\n').slice(2, -2).join('\n') ?? ''

function cellsOf(/** @type {RingRecord | undefined} */ record) {
  if (!record) return 'not recorded | |'
  const { date, commit, passed, failed } = record
  return `${date} | \`${commit.slice(0, 8)}\` | ${passed} passed, ${failed} failed`
}
