import type { Header } from 'tar-stream'
import { type Failure, invalid } from '../errors.ts'

const pathBytesMax = 1024
/** Set-user-id and set-group-id. */
const identityBits = 0o6000

/** The type of an entry, as tar names it. A hard link is a `link`, which no bundle may contain. */
export type EntryType = 'file' | 'directory' | 'symlink'

/** What a bundle may contain. */
export interface BundleLimits {
  /** Bytes of the whole archive, unpacked. */
  unpackedMax: number
  /** Files, links and directories, including those that only occur in the paths of others. */
  entriesMax: number
  /** Whether symbolic links are accepted. Their targets are not checked here. */
  links: boolean
}

/** The entries of a bundle that were read so far. */
export interface SeenEntries {
  /** The type of each entry by its path. */
  paths: Map<string, EntryType>
  /** The directories that contain entries, whether they are entries themselves or not. */
  parents: Set<string>
  /** The names of stack files, normalized and in lowercase. */
  stackFiles: Set<string>
}

/** The state before the first entry. */
export const newSeenEntries = (): SeenEntries => ({
  paths: new Map(),
  parents: new Set(),
  stackFiles: new Set(),
})

/**
 * Returns the path of an entry relative to the bundle's root; empty for the root itself. Accepts
 * only regular files, directories and, where allowed, symbolic links inside the root, each once,
 * so that a bundle is safe to unpack.
 *
 * @throws 400 for any other entry
 */
export function checkEntry(header: Header, seen: SeenEntries, limits: BundleLimits): string {
  const { name, mode = 0, type } = header
  const isLink = type === 'symlink' && limits.links
  if (type !== 'file' && type !== 'directory' && !isLink)
    throw unsafe(name, `is a ${type ?? 'file of unknown type'}`)
  // The content of such an entry is a list of the parts that are not zero, then those parts.
  if (Object.keys(header.pax ?? {}).some((key) => key.startsWith('GNU.sparse.')))
    throw unsafe(name, 'is a sparse file: pack it without --sparse')
  if (type === 'file' && (mode & identityBits) !== 0)
    throw unsafe(name, 'is set-user-id or set-group-id')
  const path = checkPath(name, type)
  if (path === '') return path
  if (seen.paths.has(path)) throw unsafe(name, 'is contained twice')
  checkSpelling(name, path, seen)
  if (type !== 'directory' && seen.parents.has(path))
    throw unsafe(name, `is a ${type}, but an earlier entry is inside it`)
  addParents(name, path, seen)
  seen.paths.set(path, type)
  if (Math.max(seen.paths.size, seen.parents.size) > limits.entriesMax)
    throw invalid(`bundle: it has more than ${limits.entriesMax} entries`)
  return path
}

/** Adds the directories above an entry. The parents of a known directory are known as well. */
function addParents(name: string, path: string, { paths, parents }: SeenEntries): void {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const parent = path.slice(0, end)
    const above = paths.get(parent)
    if (above && above !== 'directory') throw unsafe(name, `is inside a ${above}`)
    if (parents.has(parent)) return
    parents.add(parent)
  }
}

/** Names of stack files at the root of the directory. */
const stackFile = /^(\.env|(docker-)?compose(\.[a-z0-9][a-z0-9_-]{0,62})?\.ya?ml)$/

/**
 * Rejects a second spelling of a stack file. On a case-insensitive file system both are the same
 * file, and the machine would decide which one counts.
 */
function checkSpelling(name: string, path: string, { stackFiles }: SeenEntries): void {
  const folded = path.normalize('NFKC').toUpperCase().toLowerCase()
  if (!stackFile.test(folded)) return
  if (stackFiles.has(folded))
    throw unsafe(name, `differs from another entry only in case or normalization: ${folded}`)
  stackFiles.add(folded)
}

/** Returns the plain path of an entry: archives write `a/b` as `./a/b` or `a/b/` too. */
function checkPath(name: string, type: EntryType): string {
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
