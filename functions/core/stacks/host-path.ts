import { invalid } from '../errors.ts'

/**
 * Returns the path if it is relative and stays inside its directory.
 *
 * @throws 400 for any other path
 */
export function checkedHostPath(path: string): string {
  const segments = path.split('/')
  const walks = segments.some((segment) => segment === '' || segment === '.' || segment === '..')
  if (walks || path.includes('\0') || path.length > 4096) {
    throw invalid(`${JSON.stringify(path.slice(0, 140))} is not a path inside the directory`)
  }
  return path
}
