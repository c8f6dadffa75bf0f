import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unpackPackages } from './debian-packages.mjs'

/** The Debian releases that have each version of the Docker Engine. */
const releases = /** @type {Record<string, string>} */ ({ 26: 'trixie', 28: 'sid' })

/** The versions of the Docker Engine that tests can run on, beside the installed one. */
export const otherEngines = Object.keys(releases)

/** The Engine itself, containerd and the client. They run with this machine's runc. */
const packages = ['docker.io', 'containerd', 'docker-cli', 'docker-buildx']

const script = fileURLToPath(new URL('other-engine.sh', import.meta.url))
const folderOf = (/** @type {string} */ version) =>
  join(homedir(), `.cache/container-stacks/engine-${version}`)

/**
 * Ensures that an Engine of another version is unpacked. Returns why it cannot be had, or
 * undefined.
 *
 * @param {string} version one of `otherEngines`
 */
export function unpackEngine(version, print = console.log) {
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
 * Runs a program where this machine seems to have another version of the Engine, installed and not
 * running: with processes, mounts, a network, a /tmp and a /run of its own. All processes end with
 * the program, and what they left is removed. The network leads nowhere. Returns the exit status.
 *
 * @param {string} version that is unpacked
 * @param {string[]} words the program and its arguments
 * @param {NodeJS.ProcessEnv} environment
 */
export function runWithEngine(version, words, environment) {
  const base = join(homedir(), '.cache/container-stacks')
  mkdirSync(base, { recursive: true })
  const place = mkdtempSync(join(base, 'engine-data-'))
  const apart = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child']
  const line = [...apart, 'sh', script, place, folderOf(version), ...words]
  try {
    return spawnSync('unshare', line, { stdio: 'inherit', env: environment }).status ?? 1
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
