import type { Header } from 'tar-stream'
import { type Failure, invalid } from '../errors.ts'

/** Files and directories that a bundle may have. */
export const entriesMax = 10_000
const pathBytesMax = 1024
/** Set-user-id and set-group-id. */
const identityBits = 0o6000

/** Paths of a bundle so far: path → whether it is a file. */
export type Seen = Map<string, 'file' | 'directory'>

/**
 * The path of an entry below the bundle's root; empty for the root itself. Throws a `Failure` 400 for anything but a plain
 * file or directory inside of it that was not there yet: whoever unpacks this can come to no harm.
 */
export function checkEntry({ name, type, mode = 0 }: Header, seen: Seen): string {
  if (type !== 'file' && type !== 'directory')
    throw unsafe(name, `is a ${type ?? 'thing of no kind'}`)
  if (type === 'file' && (mode & identityBits) !== 0)
    throw unsafe(name, 'is set-user-id or set-group-id')
  const path = checkPath(name, type)
  if (path === '') return path
  if (seen.has(path)) throw unsafe(name, 'is there twice')
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
    if (seen.get(path.slice(0, end)) === 'file') throw unsafe(name, 'lies inside of a file')
  }
  seen.set(path, type)
  if (seen.size > entriesMax) throw invalid(`bundle: it has more than ${entriesMax} entries`)
  return path
}

/** `./a/b` and `a/b/` are `a/b`, as archives have them. */
function checkPath(name: string, type: 'file' | 'directory'): string {
  const plain = name.replace(/^(\.\/)+/, '')
  const path = type === 'directory' ? plain.replace(/\/$/, '') : plain
  if (type === 'directory' && (path === '' || path === '.')) return ''
  if (path.startsWith('/')) throw unsafe(name, 'is absolute')
  if (Buffer.byteLength(path) > pathBytesMax) throw unsafe(name, 'has too long a path')
  // A replacement character stands for bytes that are no UTF-8.
  if (/[\u0000-\u001f\u007f\\\ufffd]/.test(path))
    throw unsafe(name, 'has characters that no path needs')
  const segments = path.split('/')
  if (segments.some((segment) => segment === '..')) throw unsafe(name, 'leaves the directory')
  if (segments.some((segment) => segment === '' || segment === '.'))
    throw unsafe(name, 'is no plain path')
  return path
}

/** A `Failure` 400 about one entry. */
function unsafe(name: string, why: string): Failure {
  return invalid(`bundle: ${JSON.stringify(name.slice(0, 140))} ${why}`)
}
