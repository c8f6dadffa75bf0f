import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * A file of an image or a package, with its path from the root and without a slash at the start.
 * Without an owner it belongs to root.
 *
 * @typedef {{ path: string, mode: number, uid?: number, gid?: number } & (
 *   { type: 'file', content: Buffer } | { type: 'directory' } | { type: 'symlink', link: string }
 * )} Entry
 */

/**
 * Returns the files below a directory as entries below `prefix`. Programs are executable for all,
 * whatever the umask of this machine is.
 *
 * @param {string} directory
 * @param {string} prefix
 * @param {(path: string) => boolean} [keeps] by the path below the directory
 * @returns {Entry[]}
 */
export function filesUnder(directory, prefix, keeps = () => true) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((found) => ({ found, path: join(found.parentPath, found.name) }))
    .filter(({ found, path }) => !found.isDirectory() && keeps(path.slice(directory.length + 1)))
    .map(({ found, path }) => {
      const target = posix.join(prefix, path.slice(directory.length + 1))
      if (found.isSymbolicLink())
        return { path: target, mode: 0o777, type: 'symlink', link: readlinkSync(path) }
      const mode = (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755
      return { path: target, mode, type: 'file', content: readFileSync(path) }
    })
}

/**
 * @param {string} path
 * @param {string | Buffer} content
 * @param {number} [mode]
 * @returns {Entry}
 */
export const file = (path, content, mode = 0o644) => ({
  path,
  mode,
  type: 'file',
  content: Buffer.from(content),
})

/**
 * @param {string} path
 * @param {{ mode?: number, uid?: number, gid?: number }} [how]
 * @returns {Entry}
 */
export const directory = (path, how = {}) => ({ mode: 0o755, ...how, path, type: 'directory' })

/**
 * @param {string} path
 * @param {string} link
 * @returns {Entry}
 */
export const symlink = (path, link) => ({ path, mode: 0o777, type: 'symlink', link })

/**
 * Returns the entries with the directories above them, sorted by path. The later one of two
 * entries with the same path stays.
 *
 * @param {readonly Entry[]} entries
 * @returns {Entry[]}
 */
export function complete(entries) {
  /** @type {Map<string, Entry>} */
  const all = new Map()
  for (const { path } of entries) {
    const steps = path.split('/')
    for (let count = 1; count < steps.length; count += 1) {
      const above = steps.slice(0, count).join('/')
      all.set(above, directory(above))
    }
  }
  for (const entry of entries) all.set(entry.path, entry)
  return [...all.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}
