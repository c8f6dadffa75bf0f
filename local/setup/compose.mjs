import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { userCache } from '../../packaging/contents/places.mjs'
import { unpackPackages } from './debian-packages.mjs'

/** The directory of our own docker compose. Packages of this machine are not changed. */
const folder = join(userCache, 'compose')
const plugin = 'usr/libexec/docker/cli-plugins/docker-compose'

const plugins = [
  ...['/usr/libexec', '/usr/lib', '/usr/local/lib', '/usr/local/libexec'].map(
    (place) => `${place}/docker/cli-plugins/docker-compose`,
  ),
  join(homedir(), '.docker/cli-plugins/docker-compose'),
  join(folder, plugin),
]

/** @type {Map<string, boolean>} */
const known = new Map()

/** Returns this machine's docker compose (version 2 or newer), or undefined. */
export function findCompose() {
  return plugins.find((path) => {
    if (known.get(path)) return true
    known.set(path, runs(path))
    return known.get(path)
  })
}

/** Returns whether docker compose is there and complete. */
export function runs(/** @type {string} */ path) {
  return existsSync(path) && spawnSync(path, ['version'], { timeout: 30_000 }).status === 0
}

/**
 * Ensures that there is a docker compose to compare with, and returns its path. Debian 12 has no
 * package of it. The one of the next release also runs on Debian 12, so it is unpacked into a
 * folder of our own. Returns undefined, after printing why, if that fails.
 */
export function ensureCompose(print = console.log) {
  const found = findCompose()
  if (found) return found
  print(`Unpacking docker compose into ${folder}, for comparison`)
  const problem = unpackPackages(folder, 'trixie', ['docker-compose'], (draft) =>
    runs(join(draft, plugin)) ? undefined : 'it does not run',
  )
  if (problem) print(`No docker compose: ${problem}. Install the Compose plugin`)
  return findCompose()
}
