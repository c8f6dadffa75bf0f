import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * A process of this machine. `program` is the name of its executable as the kernel shortens it,
 * `started` its start time in ticks since the boot, which tells it from an earlier process of the
 * same ID.
 *
 * @typedef {object} Process
 * @property {number} pid
 * @property {number} parent
 * @property {string} program
 * @property {string} started
 * @property {string[]} words
 * @property {string} directory
 * @property {string} environment as in `/proc/<pid>/environ`, empty if this user must not read it
 */

/**
 * Returns all processes of this machine, without those that have ended and are still listed.
 * Returns none on systems without /proc.
 */
export function processes() {
  return namesIn('/proc').flatMap((name) => {
    const found = /^\d+$/.test(name) ? findProcess(Number(name)) : undefined
    return found ? [found] : []
  })
}

/**
 * Returns a process, or undefined if it does not run.
 *
 * @returns {Process | undefined}
 */
export function findProcess(/** @type {number} */ pid) {
  const stat = textOf(`/proc/${pid}/stat`)
  // The name is in parentheses and can contain any character.
  const program = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  const [state = 'X', parent, ...more] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (stat === '' || 'ZX'.includes(state)) return undefined
  return {
    pid,
    parent: Number(parent),
    program,
    started: more[17] ?? '',
    words: textOf(`/proc/${pid}/cmdline`).split('\0').filter(Boolean),
    directory: targetOf(`/proc/${pid}/cwd`),
    environment: textOf(`/proc/${pid}/environ`),
  }
}

/** Returns the text of a file, empty if it cannot be read because its process has ended. */
export function textOf(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the target of a link, empty if there is none or this user must not know it. */
export function targetOf(/** @type {string} */ link) {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

/** Returns the names in a directory, none if it does not exist. */
export function namesIn(/** @type {string} */ directory) {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
