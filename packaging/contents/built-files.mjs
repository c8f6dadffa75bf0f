import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesUnder } from './entries.mjs'
import { root } from './places.mjs'

const dist = `${root}dist`

/** Builds `dist/` if it is older than the sources. */
export function ensureBuilt() {
  const { status } = spawnSync(process.execPath, ['local/ensure-built.mjs'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('the build failed')
}

/**
 * Returns everything that the service needs of the build: its programs, pages and the browser UI,
 * without source maps.
 *
 * @param {string} prefix
 */
export const serviceFiles = (prefix) => filesUnder(dist, prefix, isOfService)

/**
 * Returns whether a file of the build belongs to the service, by its path in there.
 *
 * @param {string} path
 */
export const isOfService = (path) => !/\.map$|^(release|executables)\//.test(path)

/**
 * Returns one program of the build with the chunks that it loads.
 *
 * @param {string} program such as `cli.js`
 * @param {string} prefix
 */
export function programFiles(program, prefix) {
  const names = new Set([program])
  for (const name of names) {
    const text = readFileSync(join(dist, name), 'utf8')
    for (const [, found = ''] of text.matchAll(/["']\.\/([\w.-]+\.js)["']/g)) names.add(found)
  }
  return filesUnder(dist, prefix, (path) => names.has(path))
}
