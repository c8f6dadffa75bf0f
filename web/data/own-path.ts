/**
 * Returns a path as that of a page of this service. Browsers take what begins with two slashes, or
 * with backslashes in their place, for another host, and skip tabs and line ends in it. A proxy
 * that merges slashes serves the UI there.
 */
export const ownPath = (path: string): string => `/${path.replace(/^[\s/\\]+/, '')}`
