import { invalid } from '../errors.ts'

const pathBytesMax = 1024
/** The limit of file systems for one name. */
const nameBytesMax = 255

/**
 * Characters that no path may have: control characters, which hide in terminals and logs, the
 * backslash, which separates names on Windows, and the replacement character, which stands for
 * bytes that are not UTF-8.
 */
const forbidden = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\\\ufffd]/

/** Half of a surrogate pair, which UTF-8 cannot express. */
const lone = /[\ud800-\udfff]/u

const hasForbidden = (text: string) => forbidden.test(text) || lone.test(text)

/**
 * Returns why this is not the path of a file in a stack's directory, or undefined if it is one:
 * relative, `/`-separated, without empty, `.` and `..` segments.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'is empty'
  if (path.startsWith('/')) return 'is absolute'
  if (Buffer.byteLength(path) > pathBytesMax) return `is longer than ${pathBytesMax} bytes`
  if (hasForbidden(path)) return 'contains characters that are not allowed in a path'
  const segments = path.split('/')
  if (segments.includes('..')) return 'leaves the directory'
  if (segments.some((segment) => segment === '' || segment === '.')) return 'is not a plain path'
  return segments.some((segment) => Buffer.byteLength(segment) > nameBytesMax)
    ? `has a name longer than ${nameBytesMax} bytes`
    : undefined
}

/**
 * Returns the path in the stack's directory that a link leads to, by its text alone.
 *
 * @throws 400 if the target is absolute, is outside of the directory, or contains the link itself
 */
export function linkTarget(path: string, target: string): string {
  const refuse = (why: string) =>
    invalid(`${shownPath(path)}: the target ${shownPath(target)} of the link ${why}`)
  if (target === '') throw refuse('is empty')
  if (target.startsWith('/')) throw refuse('is absolute; a link must stay in the directory')
  if (Buffer.byteLength(target) > pathBytesMax || hasForbidden(target))
    throw refuse('is too long or contains characters that are not allowed in a path')
  const parts = path.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) throw refuse('leaves the directory')
  }
  const resolved = parts.join('/')
  if (resolved === '' || isAtOrBelow(path, resolved)) throw refuse('contains the link itself')
  return resolved
}

/** Returns whether a path is `directory` or a path in it. */
export const isAtOrBelow = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(`${directory}/`)

/** Returns the directories that contain a path, the innermost first. */
export function* parentsOf(path: string): Generator<string> {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    yield path.slice(0, end)
  }
}

/**
 * Returns the form in which two paths are equal if a file system may take them for one: without
 * regard to case and to how letters with accents are composed.
 */
export const foldedPath = (path: string): string =>
  path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

/** Returns a path for a message: quoted, on one line and not too long. */
export const shownPath = (path: string): string =>
  pathProblem(path) === undefined && path.length <= 140 ? path : JSON.stringify(path.slice(0, 140))
