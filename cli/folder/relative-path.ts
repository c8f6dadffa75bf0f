import { relative } from 'node:path'

/**
 * Returns an absolute path relative to a directory: empty for the directory itself, undefined for a
 * path outside of it.
 */
export function relativePath(root: string, path: string): string | undefined {
  const inside = relative(root, path)
  return inside === '..' || inside.startsWith('../') ? undefined : inside
}
