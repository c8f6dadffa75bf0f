import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { userCache } from '../../packaging/contents/places.mjs'
import { unpackPackages } from './debian-packages.mjs'
import { namesIn, processes } from './processes.mjs'

/** The Debian releases that have each version of the Docker Engine. */
const releases = /** @type {Record<string, string>} */ ({ 26: 'trixie', 28: 'sid' })

/**
 * Docker Engines that tests can run on, beside the installed one: the version, the configuration,
 * and the version of the control groups if it is another one than this machine's.
 *
 * - `containerd`: keeps its images in containerd, as new installations of Docker 29 do
 * - `settings`: settings of the Engine that administrators change often
 * - `cgroup2`: control groups of version 2, with the controllers that version 1 leaves them
 *
 * @type {Record<string, { version: string, configuration: object, cgroup?: '2' }>}
 */
const engines = {
  26: { version: '26', configuration: {} },
  28: { version: '28', configuration: {} },
  '28-containerd': {
    version: '28',
    configuration: { features: { 'containerd-snapshotter': true } },
  },
  '28-settings': {
    version: '28',
    configuration: { 'live-restore': true, 'log-driver': 'local' },
  },
  '28-cgroup2': { version: '28', configuration: {}, cgroup: '2' },
}

/** The names of the Docker Engines that tests can run on. */
export const otherEngines = Object.keys(engines)

/** The Engine itself, containerd and the client. They run with this machine's runc. */
const packages = ['docker.io', 'containerd', 'docker-cli', 'docker-buildx']

const dataPrefix = 'engine-data-'
const script = fileURLToPath(new URL('other-engine.sh', import.meta.url))
const folderOf = (/** @type {string} */ version) => join(userCache, `engine-${version}`)

/**
 * Ensures that an Engine of another version is unpacked. Returns why it cannot be had, or
 * undefined.
 *
 * @param {string} name
 */
export function unpackEngine(name, print = console.log) {
  const { version } = engines[name] ?? {}
  if (!version) return `must be one of ${otherEngines.join(', ')}`
  const folder = folderOf(version)
  if (versionIn(folder) === version) return undefined
  print(`Unpacking Docker Engine ${version} into ${folder}`)
  const release = releases[version] ?? ''
  return unpackPackages(folder, release, packages, (draft) => {
    const found = versionIn(draft)
    return found === version ? undefined : `Debian ${release} has Docker Engine ${found} now`
  })
}

/** Returns the major version of the Engine in a folder, or undefined if there is none. */
function versionIn(/** @type {string} */ folder) {
  const dockerd = join(folder, 'usr/sbin/dockerd')
  const { stdout } = spawnSync(dockerd, ['--version'], { encoding: 'utf8' })
  return /version (\d+)\./.exec(stdout ?? '')?.[1]
}

/**
 * Runs a program where this machine seems to have another Engine, installed and not running: with
 * processes, mounts, a network, a /tmp and a /run of its own. All processes end with the program,
 * and what they left is removed. The network leads nowhere. Returns the exit status.
 *
 * The Engine refuses versions of its API before 1.44, as Docker 29 does.
 *
 * @param {string} name of an Engine that is unpacked
 * @param {string[]} words the program and its arguments
 * @param {NodeJS.ProcessEnv} environment
 */
export function runWithEngine(name, words, environment) {
  const { version, configuration, cgroup } = engines[name] ?? { version: '', configuration: {} }
  mkdirSync(userCache, { recursive: true })
  removeLeftData(userCache)
  const place = mkdtempSync(join(userCache, dataPrefix))
  mkdirSync(join(place, 'etc/docker'), { recursive: true })
  writeFileSync(join(place, 'etc/docker/daemon.json'), JSON.stringify(configuration))
  const apart = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child']
  const line = [...apart, 'sh', script, place, folderOf(version), ...words]
  const env = { ...environment, DOCKER_MIN_API_VERSION: '1.44', ENGINE_CGROUP: cgroup }
  try {
    const bound = ['--pdeathsig', 'KILL', 'unshare', ...line]
    return spawnSync('setpriv', bound, { stdio: 'inherit', env }).status ?? 1
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Removes what Engines of killed runs left. */
function removeLeftData(/** @type {string} */ base) {
  const used = processes().flatMap(({ words }) => words)
  for (const name of namesIn(base)) {
    const path = join(base, name)
    if (!name.startsWith(dataPrefix) || used.includes(path)) continue
    rmSync(path, { recursive: true, force: true })
  }
}
