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
import { dirname, join } from 'node:path'

/**
 * Unpacks packages of another Debian release into a directory of our own, without changing the
 * packages of this machine. A process that is killed leaves nothing in the directory. Returns what
 * failed, or undefined.
 *
 * @param {string} directory is replaced if it exists
 * @param {string} release such as `trixie`
 * @param {string[]} packages
 * @param {(draft: string) => string | undefined} problemOf why what is unpacked cannot be used
 */
export function unpackPackages(directory, release, packages, problemOf) {
  const source = debianSource()
  if (!source || !existsSync('/usr/bin/dpkg')) return 'this machine has no Debian source'
  mkdirSync(dirname(directory), { recursive: true })
  // A killed process must not leave half of it in the place where it is looked for.
  const draft = mkdtempSync(`${directory}-`)
  try {
    const problem = unpack(source, release, packages, draft) ?? problemOf(draft)
    if (problem) return problem
    rmSync(directory, { recursive: true, force: true })
    renameSync(draft, directory)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return undefined
}

/**
 * Returns what failed, or undefined.
 *
 * @param {string} source
 * @param {string} release
 * @param {string[]} packages
 * @param {string} directory
 */
function unpack(source, release, packages, directory) {
  mkdirSync(join(directory, 'apt/lists/partial'), { recursive: true })
  mkdirSync(join(directory, 'apt/cache/archives/partial'), { recursive: true })
  const key = '/usr/share/keyrings/debian-archive-keyring.gpg'
  const list = join(directory, 'apt/sources.list')
  writeFileSync(list, `deb [signed-by=${key}] ${source} ${release} main\n`)
  const own = [
    `Dir::Etc::sourcelist=${list}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${directory}/apt/lists`,
    `Dir::Cache=${directory}/apt/cache`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option])
  const steps = [
    ['apt-get', '-qq', ...own, 'update'],
    ['apt-get', '-qq', ...own, 'download', ...packages],
    ['sh', '-c', 'for package in *.deb; do dpkg -x "$package" . || exit; done; rm -r apt *.deb'],
  ]
  for (const [program = '', ...args] of steps) {
    const { status, stderr } = spawnSync(program, args, { cwd: directory, encoding: 'utf8' })
    if (status !== 0) return (stderr ?? `${program} is missing`).trim().slice(-500)
  }
  return undefined
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
