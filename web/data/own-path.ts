/**
 * Returns a path as that of a page of this service. Browsers take what begins with two slashes, or
 * with backslashes in their place, for another host, and skip tabs and line ends in it. A proxy
 * that merges slashes serves the UI there.
 */
export const ownPath = (path: string): string => `/${path.replace(/^[\s/\\]+/, '')}`

/** Returns whether there can be a page at a path, which is text without control codes. */
export function isPagePath(path: string): boolean {
  try {
    return !/[\u0000-\u001f\u007f\\]/.test(decodeURIComponent(path))
  } catch {
    return false
  }
}
