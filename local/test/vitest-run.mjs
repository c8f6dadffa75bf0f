import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { joinedSeconds } from './processor-report.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * How a run of vitest ended.
 *
 * @typedef {object} Run
 * @property {import('./verdict.mjs').Report} report
 * @property {boolean} succeeded
 * @property {number} seconds
 */

/**
 * Runs vitest with these words of its command line.
 *
 * @param {readonly string[]} words
 * @param {Record<string, string>} [variables]
 * @returns {Run}
 */
export function runTests(words, variables = {}) {
  // Made here, as what sweeps before a run removes the directories that tests left.
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-report-'))
  const file = join(directory, 'report.json')
  const begin = performance.now()
  const reporters = ['--reporter=default', '--reporter=./local/test/reporter.mjs']
  const { status, signal } = spawnSync('npx', ['vitest', 'run', ...reporters, ...words], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...variables, TEST_REPORT: file },
  })
  const seconds = (performance.now() - begin) / 1000
  const report = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { files: [], unhandled: [`vitest ended without a report (${status ?? signal})`] }
  rmSync(directory, { recursive: true, force: true })
  return { report, succeeded: status === 0, seconds }
}

/**
 * Returns the run that several parts make together.
 *
 * @param {readonly Run[]} parts
 * @returns {Run}
 */
export function joined(parts) {
  return {
    report: {
      files: parts.flatMap(({ report }) => report.files),
      unhandled: parts.flatMap(({ report }) => report.unhandled),
      processorSeconds: joinedSeconds(parts.map(({ report }) => report.processorSeconds)),
    },
    succeeded: parts.every(({ succeeded }) => succeeded),
    seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0),
  }
}
