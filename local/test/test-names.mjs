import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** The directories in which tests make theirs. */
export const roots = [...new Set([tmpdir(), '/tmp', '/dev/shm'])]

const ofTests = /^container-stacks-(?:[a-z0-9]+-)+[A-Za-z0-9]{6}$/
/** Names that other programs may use too, and files by which the directories of tests are known. */
const ofPrograms = {
  registry: ['config.yml', 'htpasswd'],
  'registry-auth': ['key.pem', 'config.yml', 'htpasswd'],
  swift: ['devices'],
  sshd: ['config', 'host', 'home'],
  'docker-gate': ['docker.sock'],
}

/**
 * Returns the directory of a test that a path is in or is, by its name, or undefined. What the
 * directory contains is not checked.
 */
export function testDirectoryOf(/** @type {string} */ path) {
  for (const root of roots) {
    if (!path.startsWith(`${root}/`)) continue
    const [name = ''] = path.slice(root.length + 1).split('/')
    if (ofTests.test(name) || programOf(name)) return join(root, name)
  }
  return undefined
}

/**
 * Returns whether a directory with these names in it is one of the tests.
 *
 * @param {string} directory
 * @param {string[]} inside
 */
export function isTestDirectory(directory, inside) {
  if (!roots.includes(dirname(directory))) return false
  if (ofTests.test(basename(directory))) return true
  const known = programOf(basename(directory))
  return known !== undefined && (inside.length === 0 || known.some((name) => inside.includes(name)))
}

function programOf(/** @type {string} */ name) {
  const [, program = ''] = /^(.+)-[A-Za-z0-9]{6}$/.exec(name) ?? []
  return Object.entries(ofPrograms).find(([one]) => one === program)?.[1]
}

/** Returns whether `unique()` of `local/harness/unique.ts` made the name, or it begins with one. */
export const isUnique = (/** @type {string} */ name) => /^cst-[0-9a-f]{6}-[0-9a-f]{6}-/.test(name)

/** Words in front of the process ID of the test. */
const words = [
  ...['adopt', 'alerts', 'anonymous', 'another', 'back', 'built', 'clock', 'copied', 'crash'],
  ...['drain', 'e2e', 'fails', 'far', 'forged', 'forgedbackup', 'image', 'inter', 'keys', 'kept'],
  ...['killed', 'library', 'links', 'lost', 'main', 'names', 'oneoffs', 'own', 'pause', 'paused'],
  ...['remote', 'removed', 'running-compose-', 'running-service-', 'sick', 'skewed', 'sqlite'],
  ...['swap', 'taken', 'tree', 'twice', 'verbs', 'wa-holes-'],
]
const numbered = new RegExp(`^(?:${words.join('|')})([0-9]{3,7})(?![0-9])`)
/** Words in front of random digits. */
const random =
  /^(?:(?:build|contract|dials|docker|events|hostile|own|secrets)-[0-9a-f]{8}|adopt-[0-9a-f]{6})(?![0-9a-f])/
const fixed = /^journey-(?:keyboard|logs|stack|trouble)(?![a-z0-9])/

/**
 * Returns whether a test can have made a name that `unique()` did not make. Other programs can have
 * such names, so more must speak for it.
 *
 * @param {string} name
 * @param {(pid: number) => boolean} isAlive
 */
export function isLikelyTestName(name, isAlive) {
  const pid = numbered.exec(name)?.[1]
  if (pid !== undefined) return !isAlive(Number(pid))
  return random.test(name) || fixed.test(name)
}

/** Returns whether a network namespace is one of `local/harness/netns.ts`. */
export const isTestNamespace = (/** @type {string} */ name) => /^cst[0-9a-f]{8}$/.test(name)

/** Returns whether a link is this machine's end of the link of such a namespace. */
export const isTestLink = (/** @type {string} */ name) => /^cst[0-9a-f]{8}o$/.test(name)

/** Returns whether a rule, as `iptables -S` prints it, is one of such a link. */
export const isTestRule = (/** @type {string} */ rule) =>
  /^-A PREROUTING (?:.* )?-i cst[0-9a-f]{8}o .*-j DNAT /.test(rule)

/** Returns whether an account is one of `local/harness/ssh-server.ts`. */
export const isTestUser = (/** @type {string} */ name) => /^cs-test-\d+-\d+$/.test(name)
