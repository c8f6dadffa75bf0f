/** Normalizes a Linux path: `a/./b/../c` → `a/c`. Leading `..` of a relative path are kept. */
export function normalizePath(path: string): string {
  const absolute = path.startsWith('/')
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (!absolute) parts.push('..')
  }
  return (absolute ? '/' : '') + parts.join('/') || '.'
}

/** Resolves `path` against `base`. An absolute path is only normalized. */
export const joinPath = (base: string, path: string): string =>
  normalizePath(path.startsWith('/') ? path : `${base}/${path}`)

/** Returns the directory that contains a path. */
export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '.' : slash === 0 ? '/' : path.slice(0, slash)
}

/**
 * Returns whether a path is a Windows path: `c:\x`, `c:/x` or `\\server\x`. Only a Windows host can
 * interpret them, so they stay unchanged.
 */
export const isWindowsPath = (path: string): boolean =>
  /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\')

/**
 * Returns a path relative to a stack's directory, which is the key of the file in the stack;
 * undefined if the path is outside the directory.
 */
export function relativeTo(directory: string, path: string): string | undefined {
  const base = normalizePath(directory)
  const full = joinPath(base, path)
  return full.startsWith(base === '/' ? '/' : `${base}/`)
    ? full.slice(base === '/' ? 1 : base.length + 1)
    : undefined
}
