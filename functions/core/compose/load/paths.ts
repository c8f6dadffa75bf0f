/** `a/./b/../c` → `a/c`. A path that leads above its beginning keeps its `..`. Paths are those of a Linux host. */
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

/** `path` as seen from `base`; an absolute path stays what it is. */
export const joinPath = (base: string, path: string): string =>
  normalizePath(path.startsWith('/') ? path : `${base}/${path}`)

/** The directory that holds a path. */
export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '.' : slash === 0 ? '/' : path.slice(0, slash)
}

/** True for `c:\x`, `c:/x` and `\\server\x`: such paths mean something on a Windows host only and stay as they are. */
export const isWindowsPath = (path: string): boolean =>
  /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\')

/** The key of a stack's file that an absolute path of its directory names, or nothing when it lies outside. */
export function relativeTo(directory: string, path: string): string | undefined {
  const base = normalizePath(directory)
  const full = joinPath(base, path)
  return full.startsWith(base === '/' ? '/' : `${base}/`)
    ? full.slice(base === '/' ? 1 : base.length + 1)
    : undefined
}
