import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, hasCode } from '../failure.ts'

/** The service accepts no more files in one bundle. */
const filesMax = 9_000

/**
 * A file of a bundle: `source` is its path on this machine, `path` its path in the bundle. Sizes in
 * bytes.
 */
export interface BundleFile {
  path: string
  source: string
  size: number
  mode: number
}

/** The files of a directory, and notes on what is left out. */
export interface DirectoryFiles {
  files: BundleFile[]
  notes: string[]
}

/** Entries to leave out: directories by path, and files named `.env`. */
export interface Omission {
  directories: readonly string[]
  env: boolean
}

/**
 * Returns every readable regular file below a directory, sorted by path. Links, sockets and `.git`
 * are left out. Throws a `CliFailure` if there are more files than a bundle may have.
 */
export async function walkDirectory(root: string, omit: Omission): Promise<DirectoryFiles> {
  const found: DirectoryFiles = { files: [], notes: [] }
  await walk(root, '', omit, found)
  found.files.sort((one, other) => (one.path < other.path ? -1 : 1))
  return found
}

async function walk(
  root: string,
  inside: string,
  omit: Omission,
  found: DirectoryFiles,
): Promise<void> {
  const entries = await readdir(join(root, inside), { withFileTypes: true }).catch((error) => {
    if (inside === '') throw failed(`cannot read ${root}: ${error.code}`, { cause: error })
    found.notes.push(`leaving out ${inside}/: it cannot be read`)
    return []
  })
  for (const entry of entries) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (entry.isDirectory()) {
      if (omit.directories.includes(path))
        found.notes.push(`leaving out ${path}/: it holds data of services`)
      else if (entry.name !== '.git') await walk(root, path, omit, found)
    } else if (entry.name === '.env' && omit.env) {
      found.notes.push(`leaving out ${path}: use --with-env to include it`)
    } else if (entry.isFile()) {
      await add(root, path, found)
    } else {
      found.notes.push(`leaving out ${path}: it is not a regular file`)
    }
  }
}

async function add(root: string, path: string, found: DirectoryFiles): Promise<void> {
  if (/[\u0000-\u001f\u007f\\\ufffd]/.test(path)) {
    found.notes.push(`leaving out ${JSON.stringify(path)}: its name is not allowed in a bundle`)
    return
  }
  const file = await bundleFile(join(root, path), path)
  if (file) found.files.push(file)
  else found.notes.push(`leaving out ${path}: it cannot be read`)
  if (found.files.length > filesMax) throw failed(`${root} has more than ${filesMax} files`)
}

/** Returns a file for a bundle, or undefined if it cannot be read. */
export async function bundleFile(source: string, path: string): Promise<BundleFile | undefined> {
  try {
    const { size, mode } = await stat(source)
    await access(source, constants.R_OK)
    return { path, source, size, mode: (mode & 0o100) === 0 ? 0o644 : 0o755 }
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP')) throw error
    return undefined
  }
}
