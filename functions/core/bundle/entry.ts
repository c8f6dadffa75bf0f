import type { Header } from 'tar-stream'
import { type Failure, invalid } from '../errors.ts'

/** The maximum number of files and directories in a bundle. */
export const entriesMax = 10_000
const pathBytesMax = 1024
/** Set-user-id and set-group-id. */
const identityBits = 0o6000

/** The entries of a bundle that were read so far. */
export interface Seen {
  /** The type of each entry by its path. */
  paths: Map<string, 'file' | 'directory'>
  /** The names of stack files, normalized and in lowercase. */
  stackFiles: Set<string>
}

/** The state before the first entry. */
export const newSeen = (): Seen => ({ paths: new Map(), stackFiles: new Set() })

/**
 * Returns the path of an entry relative to the bundle's root; empty for the root itself. Accepts
 * only regular files and directories inside the root, each once, so that a bundle is safe to
 * unpack.
 *
 * @throws 400 for any other entry
 */
export function checkEntry({ name, type, mode = 0 }: Header, seen: Seen): string {
  if (type !== 'file' && type !== 'directory')
    throw unsafe(name, `is a ${type ?? 'file of unknown type'}`)
  if (type === 'file' && (mode & identityBits) !== 0)
    throw unsafe(name, 'is set-user-id or set-group-id')
  const path = checkPath(name, type)
  if (path === '') return path
  if (seen.paths.has(path)) throw unsafe(name, 'is contained twice')
  checkSpelling(name, path, seen)
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
    if (seen.paths.get(path.slice(0, end)) === 'file') throw unsafe(name, 'is inside a file')
  }
  seen.paths.set(path, type)
  if (seen.paths.size > entriesMax) throw invalid(`bundle: it has more than ${entriesMax} entries`)
  return path
}

/** Names of stack files at the root of the directory. */
const stackFile = /^(\.env|(docker-)?compose(\.[a-z0-9][a-z0-9_-]{0,62})?\.ya?ml)$/

/**
 * Rejects a second spelling of a stack file. On a case-insensitive file system both are the same
 * file, and the machine would decide which one counts.
 */
function checkSpelling(name: string, path: string, { stackFiles }: Seen): void {
  const folded = path.normalize('NFKC').toUpperCase().toLowerCase()
  if (!stackFile.test(folded)) return
  if (stackFiles.has(folded))
    throw unsafe(name, `differs from another entry only in case or normalization: ${folded}`)
  stackFiles.add(folded)
}

/** Returns the plain path of an entry: archives write `a/b` as `./a/b` or `a/b/` too. */
function checkPath(name: string, type: 'file' | 'directory'): string {
  const plain = name.replace(/^(\.\/)+/, '')
  const path = type === 'directory' ? plain.replace(/\/$/, '') : plain
  if (type === 'directory' && (path === '' || path === '.')) return ''
  if (path.startsWith('/')) throw unsafe(name, 'is absolute')
  if (Buffer.byteLength(path) > pathBytesMax) throw unsafe(name, 'has a path that is too long')
  // The replacement character stands for bytes that are not valid UTF-8.
  if (/[\u0000-\u001f\u007f\\\ufffd]/.test(path))
    throw unsafe(name, 'contains characters that are not allowed in a path')
  const segments = path.split('/')
  if (segments.some((segment) => segment === '..')) throw unsafe(name, 'leaves the directory')
  if (segments.some((segment) => segment === '' || segment === '.'))
    throw unsafe(name, 'is not a plain path')
  return path
}

/** Returns a 400 about one entry. */
function unsafe(name: string, why: string): Failure {
  return invalid(`bundle: ${JSON.stringify(name.slice(0, 140))} ${why}`)
}
