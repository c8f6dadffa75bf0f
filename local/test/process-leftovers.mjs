import { testDirectoryOf } from './test-names.mjs'

/** @typedef {import('../setup/processes.mjs').Process} Process */

/** Command lines that run tests, or other work that tests must not share a machine with. */
const runs =
  /(?:^|\/)(?:node_modules\/(?:\.bin\/vitest$|vitest\/)|local\/(?:test\.mjs|[a-z0-9-]+\/main\.ts)$)/

/** The programs that tests start, as the kernel shortens their names. Shells are not included. */
const programs =
  /^(?:MainThread|chrom|cli|containerd|docker-registry|dockerd|firefox|java|node|npm|python3|sshd)/

/** The variables that name the directory of a service, whose command line does not. */
const directories = /^SERVICE_(?:DATA|STACKS)_DIR=/

/**
 * Returns the processes that killed tests left: programs without a parent that work in a directory
 * of tests, and all processes that they began. The command line, the current directory or the
 * configuration of a service says so. Never returns a process that `own` descends from, nor `own`.
 *
 * @param {Process[]} all
 * @param {number} own
 */
export function orphansOf(all, own) {
  const known = new Map(all.map((one) => [one.pid, one]))
  const kept = new Set(ancestorsOf(all, own))
  const isAlone = (/** @type {Process} */ { parent, program }) =>
    programs.test(program) && (parent === 1 || (parent > 1 && !known.has(parent)))
  const found = new Set(
    all.filter((one) => isAlone(one) && !kept.has(one.pid) && worksInTests(one)),
  )
  for (const one of found) {
    for (const other of all) if (other.parent === one.pid && !kept.has(other.pid)) found.add(other)
  }
  return [...found]
}

/**
 * Returns the processes that run tests or the like of this project and do not belong to `own`.
 *
 * @param {Process[]} all
 * @param {number} own
 * @param {(directory: string) => boolean} isProject
 */
export function otherRuns(all, own, isProject) {
  const known = new Map(all.map((one) => [one.pid, one]))
  const ours = new Set(ancestorsOf(all, own))
  const isOurs = (/** @type {Process | undefined} */ one) => {
    for (let at = one; at; at = known.get(at.parent)) if (at.pid === own) return true
    return false
  }
  return all.filter(
    (one) =>
      one.words.some((word) => runs.test(word)) &&
      isProject(one.directory) &&
      !ours.has(one.pid) &&
      !isOurs(one),
  )
}

/** A process inherits its environment, so most of it says nothing about the process. */
function worksInTests(/** @type {Process} */ { words, directory, environment }) {
  const own = environment.split('\0').filter((variable) => directories.test(variable))
  return namedDirectories({ words, directory, environment: own.join('\0') }).length > 0
}

/**
 * Returns the directories of tests that the command line, the directory or the environment of a
 * process names.
 *
 * @param {Pick<Process, 'words' | 'directory' | 'environment'>} process
 */
export function namedDirectories({ words, directory, environment }) {
  const parts = [...words, environment].flatMap((text) => text.split(/[\s\0:,;'"=]+/))
  // An address such as unix:///tmp/… leaves two slashes in front of its path.
  const paths = [directory, ...parts.map((part) => part.replace(/^\/+/, '/'))]
  const found = paths.map((path) => testDirectoryOf(path)).filter((path) => path !== undefined)
  return [...new Set(found)]
}

/**
 * Returns the IDs of a process and of those that it descends from.
 *
 * @param {Process[]} all
 * @param {number} own
 */
function ancestorsOf(all, own) {
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]))
  /** @type {number[]} */
  const found = []
  for (let pid = own; pid > 0 && !found.includes(pid); pid = parents.get(pid) ?? 0) found.push(pid)
  return found
}
