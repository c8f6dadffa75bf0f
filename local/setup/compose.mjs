import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The directory of our own docker compose. Packages of this machine are not changed. */
const folder = join(homedir(), '.cache/container-stacks/compose')

const plugins = [
  ...['/usr/libexec', '/usr/lib', '/usr/local/lib', '/usr/local/libexec'].map(
    (place) => `${place}/docker/cli-plugins/docker-compose`,
  ),
  join(homedir(), '.docker/cli-plugins/docker-compose'),
  join(folder, 'usr/libexec/docker/cli-plugins/docker-compose'),
]

/** Returns this machine's docker compose (version 2 or newer), or undefined. */
export function findCompose() {
  return plugins.find((path) => existsSync(path))
}

/**
 * Ensures that there is a docker compose to compare with, and returns its path. Debian 12 has no
 * package of it. The one of the next release also runs on Debian 12, so it is unpacked into a
 * folder of our own. Returns undefined, after printing why, if that fails.
 */
export function ensureCompose(print = console.log) {
  const found = findCompose()
  if (found) return found
  const source = debianSource()
  if (!source || !existsSync('/usr/bin/dpkg')) {
    print(
      'No docker compose here, and no Debian source to take one from: install the Compose plugin',
    )
    return undefined
  }
  print(`Unpacking docker compose into ${folder}, for comparison`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'apt/lists/partial'), { recursive: true })
  mkdirSync(join(folder, 'apt/cache/archives/partial'), { recursive: true })
  const key = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(join(folder, 'apt/sources.list'), `deb [signed-by=${key}] ${source} trixie main\n`)
  const own = [
    `Dir::Etc::sourcelist=${folder}/apt/sources.list`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${folder}/apt/lists`,
    `Dir::Cache=${folder}/apt/cache`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option])
  for (const words of [['update'], ['download', 'docker-compose']]) {
    const args = ['-qq', ...own, ...words]
    const { status, stderr } = spawnSync('apt-get', args, { cwd: folder, encoding: 'utf8' })
    if (status === 0) continue
    print(`docker compose could not be had: ${stderr.trim().slice(-500)}`)
    return undefined
  }
  const archive = readdirSync(folder).find((name) => name.endsWith('.deb'))
  if (archive) spawnSync('dpkg', ['-x', archive, '.'], { cwd: folder })
  return findCompose()
}

/** Returns the address of this machine's Debian mirror. */
function debianSource() {
  const places = '/etc/apt/sources.list.d'
  const files = existsSync(places) ? readdirSync(places).map((name) => join(places, name)) : []
  for (const file of ['/etc/apt/sources.list', ...files]) {
    if (!existsSync(file)) continue
    const [address] = /https?:\/\/\S+\/debian\/?(?=\s|$)/m.exec(readFileSync(file, 'utf8')) ?? []
    if (address) return address
  }
  return undefined
}
