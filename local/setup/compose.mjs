import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** The directory of our own docker compose. Packages of this machine are not changed. */
const folder = join(homedir(), '.cache/container-stacks/compose')

const plugins = [
  ...['/usr/libexec', '/usr/lib', '/usr/local/lib', '/usr/local/libexec'].map(
    (place) => `${place}/docker/cli-plugins/docker-compose`,
  ),
  join(homedir(), '.docker/cli-plugins/docker-compose'),
  join(folder, 'usr/libexec/docker/cli-plugins/docker-compose'),
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
  const source = debianSource()
  if (!source || !existsSync('/usr/bin/dpkg')) {
    print(
      'No docker compose here, and no Debian source to take one from: install the Compose plugin',
    )
    return undefined
  }
  print(`Unpacking docker compose into ${folder}, for comparison`)
  mkdirSync(dirname(folder), { recursive: true })
  // A killed process must not leave half of it in the place where it is looked for.
  const draft = mkdtempSync(`${folder}-`)
  try {
    const problem = unpackCompose(source, draft)
    if (problem) {
      print(`docker compose could not be had: ${problem}`)
      return undefined
    }
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return findCompose()
}

/**
 * Downloads the package and unpacks it into a directory. Returns what failed, or undefined.
 *
 * @param {string} source
 * @param {string} directory
 */
function unpackCompose(source, directory) {
  mkdirSync(join(directory, 'apt/lists/partial'), { recursive: true })
  mkdirSync(join(directory, 'apt/cache/archives/partial'), { recursive: true })
  const key = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(
    join(directory, 'apt/sources.list'),
    `deb [signed-by=${key}] ${source} trixie main\n`,
  )
  const own = [
    `Dir::Etc::sourcelist=${directory}/apt/sources.list`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${directory}/apt/lists`,
    `Dir::Cache=${directory}/apt/cache`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option])
  const steps = [
    ['apt-get', '-qq', ...own, 'update'],
    ['apt-get', '-qq', ...own, 'download', 'docker-compose'],
    ['sh', '-c', 'dpkg -x ./*.deb .'],
  ]
  for (const [program = '', ...args] of steps) {
    const { status, stderr } = spawnSync(program, args, { cwd: directory, encoding: 'utf8' })
    if (status !== 0) return (stderr ?? `${program} is missing`).trim().slice(-500)
  }
  const plugin = join(directory, 'usr/libexec/docker/cli-plugins/docker-compose')
  return runs(plugin) ? undefined : `${plugin} does not run`
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
