import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { architectureNames } from './architectures.mjs'
import { root } from './places.mjs'

/** @typedef {import('./architectures.mjs').Architecture} Architecture */

/**
 * The arguments of a program that packages something. `epoch` is the time of all files, in seconds
 * since 1970.
 *
 * @typedef {object} Options
 * @property {string} out
 * @property {Architecture[]} architectures
 * @property {boolean} fast compress little, for tests
 * @property {string | undefined} version
 * @property {string | undefined} only the name of the package to make
 * @property {number} epoch
 */

/**
 * Reads the arguments of a program that packages something, and creates the output directory. Ends
 * the process with 2 if they are wrong.
 *
 * @returns {Options}
 */
export function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        out: { type: 'string', default: 'dist/release' },
        arch: { type: 'string', default: architectureNames.join(',') },
        fast: { type: 'boolean', default: false },
        version: { type: 'string' },
        only: { type: 'string' },
      },
    })
    const named = values.arch.split(',')
    const chosen = architectureNames.filter((name) => named.includes(name))
    if (chosen.length !== named.length) throw new Error(`--arch: ${architectureNames.join(', ')}`)
    mkdirSync(values.out, { recursive: true })
    const { fast, version, only } = values
    return {
      out: resolve(values.out),
      architectures: chosen,
      fast,
      version,
      only,
      epoch: epochOf(),
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

/**
 * Returns the time of all packaged files in seconds: SOURCE_DATE_EPOCH, or the time of the last
 * commit, or 0 outside of a clone. The same sources have the same time, so that they give the same
 * bytes.
 */
function epochOf() {
  const given = process.env.SOURCE_DATE_EPOCH
  if (given !== undefined && /^\d{1,11}$/.test(given)) return Number(given)
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], {
    cwd: root,
    encoding: 'utf8',
  })
  return status === 0 ? Number(stdout.trim()) || 0 : 0
}
