import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { file } from '../contents/entries.mjs'
import { cache, MissingTool } from '../contents/places.mjs'
import { gitPackages, isNeededForGit } from './git-packages.mjs'

/** @typedef {import('../contents/entries.mjs').Entry} Entry */
/** @typedef {import('../contents/architectures.mjs').Architecture} Architecture */

/**
 * The Debian packages below Node.js: its libraries, certificate authorities, and the files that
 * name the release. Node.js brings its own time zones and authorities; those here are for git and
 * for `NODE_USE_SYSTEM_CA`.
 */
const names = ['base-files', 'ca-certificates', 'gcc-12-base', 'libc6', 'libgcc-s1', 'libstdc++6']

/**
 * Returns the files of the Debian packages, with their licences and the records that scanners of
 * images read. The packages are those of this machine's Debian release, in their newest version.
 *
 * @param {Architecture} architecture
 * @returns {Promise<Entry[]>}
 */
export async function debianFiles(architecture) {
  if (!existsSync('/usr/bin/dpkg-deb') || !existsSync('/usr/bin/apt-get')) {
    throw new MissingTool('The image needs the packages of Debian: build it on Debian or Ubuntu')
  }
  const forGit = gitPackages()
  if (forGit.length === 0) {
    console.error('This image has no git for sources: build it on Debian 12 to have it')
  }
  const folder = download(architecture, [...names, ...forGit])
  /** @type {Entry[]} */
  const entries = []
  for (const name of readdirSync(folder).sort()) {
    const deb = join(folder, name)
    const files = await unpacked(deb)
    const keeps = forGit.some((one) => name.startsWith(`${one}_`)) ? isNeededForGit : isNeeded
    entries.push(...files.filter(({ path }) => keeps(path)).map(moved), record(deb))
  }
  return [...entries, ...authorities(entries)]
}

/**
 * Downloads the packages with a state of apt that is apart from that of this machine, so that an
 * other architecture needs no change of it. Returns the directory. It is kept for a day.
 *
 * @param {Architecture} architecture
 * @param {readonly string[]} wanted names of packages
 */
function download(architecture, wanted) {
  const day = new Date().toISOString().slice(0, 10)
  // A list that has changed today is another directory.
  const list = createHash('sha256').update(wanted.join()).digest('hex').slice(0, 8)
  const kept = join(cache, `debian-${architecture}-${day}-${list}`)
  if (existsSync(kept)) return kept
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'downloading-'))
  try {
    const state = join(work, 'state')
    const packages = join(work, 'packages')
    for (const path of ['lists/partial', 'cache/archives/partial']) {
      mkdirSync(join(state, path), { recursive: true })
    }
    mkdirSync(packages)
    const options = Object.entries({
      'APT::Architecture': architecture,
      'APT::Architectures': architecture,
      'Dir::State': state,
      'Dir::State::lists': join(state, 'lists'),
      'Dir::State::status': '/dev/null',
      'Dir::Cache': join(state, 'cache'),
      'APT::Sandbox::User': 'root',
    }).flatMap(([key, value]) => ['-o', `${key}=${value}`])
    apt([...options, '-qq', 'update'], work)
    apt([...options, '-qq', 'download', ...wanted], packages)
    if (!existsSync(kept)) renameSync(packages, kept)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return kept
}

/** @type {(words: string[], directory: string) => void} */
function apt(words, directory) {
  const { status, stderr } = spawnSync('apt-get', words, { cwd: directory, encoding: 'utf8' })
  if (status !== 0) throw new MissingTool(`Debian's packages cannot be downloaded: ${stderr}`)
}

/**
 * Returns the files of a package.
 *
 * @param {string} deb
 * @returns {Promise<Entry[]>}
 */
async function unpacked(deb) {
  const { status, stdout } = spawnSync('dpkg-deb', ['--fsys-tarfile', deb], {
    maxBuffer: 1024 ** 3,
  })
  if (status !== 0) throw new Error(`${deb} cannot be unpacked`)
  const archive = extract()
  archive.end(stdout)
  /** @type {Entry[]} */
  const entries = []
  for await (const entry of archive) {
    const { name, type, mode = 0o644, linkname } = entry.header
    const path = name.replace(/^\.?\//, '').replace(/\/$/, '')
    const content = await buffer(entry)
    if (type === 'file') entries.push({ path, mode, type, content })
    if (type === 'symlink') entries.push({ path, mode: 0o777, type, link: linkname ?? '' })
  }
  return entries
}

/** Programs, tables of character sets and pages, which Node.js does not use. */
const unneeded =
  /^usr\/(s?bin|share\/(man|info|lintian|locale|base-files|doc\/.*\/(?!copyright)[^/]*$))|^s?bin\/|\/gconv\/|\/audit\/|^etc\/(?!os-release|debian_version|issue)/

/** @param {string} path */
const isNeeded = (path) => !unneeded.test(path)

/**
 * Returns the entry below `usr`, as in a system whose `/lib` is a link.
 *
 * @param {Entry} entry
 * @returns {Entry}
 */
const moved = (entry) => ({
  ...entry,
  path: /^(lib|lib64)\//.test(entry.path) ? `usr/${entry.path}` : entry.path,
})

/**
 * Returns the control data of a package, at the place where scanners look for it in images without
 * a package manager.
 *
 * @param {string} deb
 */
function record(deb) {
  const { stdout } = spawnSync('dpkg-deb', ['--field', deb], { encoding: 'utf8' })
  const name = /^Package: (.*)$/m.exec(stdout)?.[1]
  return file(`var/lib/dpkg/status.d/${name}`, stdout)
}

/**
 * Returns all certificate authorities as the one file that OpenSSL reads, in the directory that the
 * TLS of git reads.
 *
 * @param {readonly Entry[]} entries
 */
function authorities(entries) {
  const certificates = entries
    .filter(({ path }) => path.startsWith('usr/share/ca-certificates/'))
    .flatMap((entry) => (entry.type === 'file' ? [entry.content] : []))
  return [file('etc/ssl/certs/ca-certificates.crt', Buffer.concat(certificates))]
}
