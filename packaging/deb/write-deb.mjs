import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { complete, file } from '../contents/entries.mjs'
import { MissingTool } from '../contents/places.mjs'

/** @typedef {import('../contents/entries.mjs').Entry} Entry */

/**
 * Writes a Debian package. The same contents and time give the same bytes.
 *
 * @param {string} target
 * @param {object} contents
 * @param {string} contents.folder of the control files
 * @param {string} contents.version
 * @param {string} contents.architecture
 * @param {readonly Entry[]} contents.entries
 * @param {number} contents.epoch seconds since 1970
 * @param {boolean} contents.fast compress little
 */
export function writeDeb(target, { folder, version, architecture, entries, epoch, fast }) {
  if (!existsSync('/usr/bin/dpkg-deb')) {
    throw new MissingTool('Debian packages are made by dpkg-deb, which is missing: install dpkg')
  }
  const bytes = entries.reduce(
    (sum, one) => sum + (one.type === 'file' ? one.content.length : 0),
    0,
  )
  const values = {
    VERSION: debianVersion(version),
    ARCHITECTURE: architecture,
    SIZE: String(Math.ceil(bytes / 1024)),
  }
  const work = mkdtempSync(join(tmpdir(), 'container-stacks-deb-'))
  try {
    place(work, [...entries, ...controlFiles(folder, values)])
    const compression = fast ? ['-Znone'] : ['-Zxz']
    const words = ['--root-owner-group', ...compression, '--build', work, target]
    const { status, stderr } = spawnSync('dpkg-deb', words, {
      encoding: 'utf8',
      // Limits the times of all files.
      env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
    })
    if (status !== 0) throw new Error(`dpkg-deb failed: ${stderr}`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * Returns a version in Debian's form, in which `1.0.0-rc.1` comes before `1.0.0`.
 *
 * @param {string} version
 */
export const debianVersion = (version) => version.replace('-', '~')

/** The control files that a package may have, and whether they are programs. */
const control = {
  control: 0o644,
  conffiles: 0o644,
  preinst: 0o755,
  postinst: 0o755,
  prerm: 0o755,
  postrm: 0o755,
}

/**
 * @param {string} folder
 * @param {Record<string, string>} values
 * @returns {Entry[]}
 */
function controlFiles(folder, values) {
  return Object.entries(control).flatMap(([name, mode]) => {
    const path = new URL(`${folder}/${name}`, import.meta.url)
    if (!existsSync(path)) return []
    const text = readFileSync(path, 'utf8').replace(/@([A-Z]+)@/g, (_, key) => values[key] ?? '')
    return [file(`DEBIAN/${name}`, text, mode)]
  })
}

/** @type {(root: string, entries: readonly Entry[]) => void} */
function place(root, entries) {
  for (const entry of complete(entries)) {
    const path = join(root, entry.path)
    if (entry.type === 'directory') mkdirSync(path, { recursive: true })
    else if (entry.type === 'file') writeFileSync(path, entry.content)
    else throw new Error(`${entry.path}: packages have no links`)
    // Whatever the umask of this machine is.
    chmodSync(path, entry.mode)
  }
  chmodSync(root, 0o755)
}
