import { invalid } from '../errors.ts'

/** A path of a file relative to a directory of a host, with no way out of it. Throws a `Failure` 400 for any other. */
export function checkedHostPath(path: string): string {
  const segments = path.split('/')
  const walks = segments.some((segment) => segment === '' || segment === '.' || segment === '..')
  if (walks || path.includes('\0') || path.length > 4096) {
    throw invalid(`${JSON.stringify(path.slice(0, 140))} is not a path inside the directory`)
  }
  return path
}
