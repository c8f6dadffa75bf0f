// Removes what killed test runs left on this machine. `node local/test/sweep.mjs` does so at once.
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { engineAddress, engineCall } from '../setup/engine-api.mjs'
import { findProcess, namesIn, processes, textOf } from '../setup/processes.mjs'
import { leftOnEngine } from './engine-leftovers.mjs'
import { namedDirectories, orphansOf, otherRuns } from './process-leftovers.mjs'
import {
  isTestDirectory,
  isTestLink,
  isTestNamespace,
  isTestRule,
  isTestUser,
  roots,
  testDirectoryOf,
} from './test-names.mjs'
import { registerRun } from './test-runs.mjs'

/**
 * Removes what killed test runs left: processes, objects on the Engine, network namespaces with
 * their links and rules, mounts, accounts and directories. A step that fails prints why and does
 * not keep the others from running. Prints a line for each step that removed something.
 *
 * Registers this process as a test run until it exits. Removes nothing and says so if another test
 * run, benchmark or the like is alive on this machine: what is there could be its own.
 *
 * @param {object} [settings]
 * @param {(line: string) => void} [settings.print]
 * @returns {Promise<boolean>} whether it swept
 */
export async function sweep({ print = console.log } = {}) {
  if (process.platform !== 'linux' || !existsSync('/proc/self/stat')) return false
  const registered = registerRun()
  const others = [...registered, ...unregisteredRuns()]
  if (others.length > 0) {
    const ids = [...new Set(others)].join(', ')
    print(`Leftovers of killed tests stay: another test run is alive (process ${ids})`)
    return false
  }
  /** @type {[string, () => Promise<Removal> | Removal][]} */
  const steps = [
    ['processes', killOrphans],
    ['objects on the Engine', () => sweepEngine(isLeftPath())],
    ['network namespaces', removeNamespaces],
    ['network links', removeLinks],
    ['iptables rules', removeRules],
    ['mounts', () => unmount(isLeftPath())],
    ['accounts', removeUsers],
    ['directories', () => removeDirectories(isLeftPath())],
  ]
  for (const [what, step] of steps) {
    const { removed, problems } = await ended(step)
    if (removed.length > 0) print(`Removed ${what} of killed tests: ${listed(removed)}`)
    if (problems.length > 0) print(`Could not remove ${what} of killed tests: ${listed(problems)}`)
  }
  return true
}

/**
 * What a step removed, and what it could not remove and why.
 *
 * @typedef {{ removed: string[], problems: string[] }} Removal
 */

/**
 * Returns the result of a step, also if it throws.
 *
 * @param {() => Promise<Removal> | Removal} step
 * @returns {Promise<Removal>}
 */
async function ended(step) {
  try {
    return await step()
  } catch (error) {
    return { removed: [], problems: [reasonOf(error)] }
  }
}

const reasonOf = (/** @type {unknown} */ error) =>
  (error instanceof Error ? error.message : String(error)).trim().slice(0, 300)

/**
 * Removes each item, even if others cannot be removed.
 *
 * @param {string[]} names
 * @param {(name: string) => unknown} remove
 * @returns {Promise<Removal>}
 */
async function removeEach(names, remove) {
  /** @type {Removal} */
  const ended = { removed: [], problems: [] }
  for (const name of names) {
    try {
      await remove(name)
      ended.removed.push(name)
    } catch (error) {
      ended.problems.push(`${name} (${reasonOf(error)})`)
    }
  }
  return ended
}

/** Returns the test runs that did not register: those of `npx vitest` and of older versions. */
function unregisteredRuns() {
  const all = processes()
  // A run without its `npm test` is left over.
  const left = new Set(orphansOf(all, process.pid).map(({ pid }) => pid))
  const isProject = (/** @type {string} */ directory) =>
    existsSync(join(directory, 'local/test.mjs'))
  return otherRuns(all, process.pid, isProject)
    .map(({ pid }) => pid)
    .filter((pid) => !left.has(pid))
}

async function killOrphans() {
  const orphans = orphansOf(processes(), process.pid)
  const isAlive = (/** @type {import('../setup/processes.mjs').Process} */ one) =>
    findProcess(one.pid)?.started === one.started
  const ended = await removeEach(
    orphans.map(({ pid, program }) => `${pid} ${program}`),
    (name) => kill(Number.parseInt(name, 10)),
  )
  const end = Date.now() + 10_000
  while (orphans.some(isAlive) && Date.now() < end) await pause(50)
  return ended
}

/** Kills a process that may have ended already. */
function kill(/** @type {number} */ pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error
  }
}

/** Returns a function that says whether a path is in a directory of tests that no process uses. */
function isLeftPath() {
  const used = new Set(processes().flatMap(namedDirectories))
  return (/** @type {string} */ path) => {
    const directory = testDirectoryOf(path)
    return directory !== undefined && !used.has(directory)
  }
}

/** The kinds of objects, in the order in which they can be removed, and the end of their calls. */
const kinds = /** @type {const} */ ({
  containers: '?force=true&v=true',
  networks: '',
  volumes: '?force=true',
  images: '?force=true',
})

/** @type {(isTestPath: (path: string) => boolean) => Promise<Removal>} */
async function sweepEngine(isTestPath) {
  // Tests on other machines can use an Engine with a network address.
  if (engineAddress().socketPath === undefined) return { removed: [], problems: [] }
  const isAlive = (/** @type {number} */ pid) => findProcess(pid) !== undefined
  const left = leftOnEngine(await listEngine(), isTestPath, isAlive)
  const ended = []
  for (const kind of /** @type {(keyof typeof kinds)[]} */ (Object.keys(kinds))) {
    ended.push(await removeEach(left[kind], (id) => removeObject(`/${kind}/${id}${kinds[kind]}`)))
  }
  return {
    removed: ended.flatMap(({ removed }) => removed),
    problems: ended.flatMap(({ problems }) => problems),
  }
}

/** @returns {Promise<import('./engine-leftovers.mjs').Lists>} */
async function listEngine() {
  const get = async (/** @type {string} */ path) => {
    const { status, text } = await engineCall('GET', path, { timeout: 30_000 })
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`)
    return JSON.parse(text)
  }
  return {
    containers: await get('/containers/json?all=true'),
    networks: await get('/networks'),
    volumes: (await get('/volumes')).Volumes ?? [],
    images: await get('/images/json'),
  }
}

/** Removes an object that may be gone already. */
async function removeObject(/** @type {string} */ path) {
  // A 409 means that it is being removed, or that what uses it is.
  for (let tries = 0; ; tries += 1) {
    const { status, text } = await engineCall('DELETE', path, { timeout: 60_000 })
    if (status < 300 || status === 404) return
    if (status !== 409 || tries === 20) throw new Error(text)
    await pause(200)
  }
}

function removeNamespaces() {
  return removeEach(namesIn('/run/netns').filter(isTestNamespace), (name) => {
    for (const pid of run('ip', 'netns', 'pids', name).split(/\s+/).map(Number)) {
      if (pid > 1) kill(pid)
    }
    run('ip', 'netns', 'del', name)
  })
}

async function removeLinks() {
  // The kernel removes the link of a namespace soon after the namespace.
  await pause(namesIn('/sys/class/net').some(isTestLink) ? 500 : 0)
  const links = namesIn('/sys/class/net').filter(isTestLink)
  return removeEach(links, (name) => run('ip', 'link', 'del', name))
}

/** @returns {Removal | Promise<Removal>} */
function removeRules() {
  if (!existsSync('/usr/sbin/iptables')) return { removed: [], problems: [] }
  const rules = run('iptables', '-w', '-t', 'nat', '-S', 'PREROUTING').split('\n')
  return removeEach(rules.filter(isTestRule), (rule) =>
    run('iptables', '-w', '-t', 'nat', ...rule.replace(/^-A /, '-D ').split(' ')),
  )
}

const mounts = () =>
  textOf('/proc/mounts')
    .split('\n')
    .map((line) => (line.split(' ')[1] ?? '').replaceAll('\\040', ' '))

function unmount(/** @type {(path: string) => boolean} */ isTestPath) {
  return removeEach(mounts().filter(isTestPath).reverse(), (place) => run('umount', '-l', place))
}

function removeUsers() {
  const names = textOf('/etc/passwd')
    .split('\n')
    .map((line) => line.split(':')[0] ?? '')
  return removeEach(names.filter(isTestUser), (name) => run('userdel', name))
}

function removeDirectories(/** @type {(path: string) => boolean} */ isTestPath) {
  const found = roots
    .flatMap((root) => namesIn(root).map((name) => join(root, name)))
    .filter(isTestPath)
    .filter((path) => lstatSync(path).isDirectory() && isTestDirectory(path, namesIn(path)))
  return removeEach(found, (path) => {
    // What is mounted there may belong to others.
    if (mounts().some((place) => place.startsWith(`${path}/`))) throw new Error('has a mount')
    rmSync(path, { recursive: true, force: true })
  })
}

const run = (/** @type {string} */ program, /** @type {string[]} */ ...args) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Names up to twenty, with short IDs. */
function listed(/** @type {string[]} */ names) {
  const short = names
    .slice(0, 20)
    .map((name) => name.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/, '$1'))
  const more = names.length > 20 ? ` and ${names.length - 20} more` : ''
  return `${short.join(', ')}${more}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await sweep()
