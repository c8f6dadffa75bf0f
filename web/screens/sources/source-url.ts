import type { Source } from '../../data/sources.ts'

/** Returns what a typed address is, and how it is signed in to. */
export function placeOf(url: string): { kind: Source['kind']; isSsh: boolean } {
  const typed = url.trim()
  if (/^oci:/i.test(typed)) return { kind: 'oci', isSsh: false }
  return { kind: 'git', isSsh: !/^https?:/i.test(typed) && /^ssh:|@/i.test(typed) }
}

/** Returns the name of a project that an address ends with, as a name for the source. */
export function nameIn(url: string): string {
  const [last = ''] = url.trim().split(/[/:]/).toReversed()
  return last
    .replace(/\.git$/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 63)
}

/** The first characters of a commit ID or of a digest. */
export const shortRevision = (revision: string) => revision.replace(/^sha256:/, '').slice(0, 12)
