/** Returns whether a name matches a glob: `*` stands for any characters, `?` for one. */
export function matchesGlob(glob: string, name: string): boolean {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  const pattern = escaped.replace(/\*+/g, '.*').replaceAll('?', '.')
  return new RegExp(`^${pattern}$`, 's').test(name)
}

/** Returns whether any of the globs matches any of the names. Without globs everything matches. */
export const matchesAny = (globs: readonly string[], ...names: readonly (string | null)[]) =>
  globs.length === 0 ||
  globs.some((glob) => names.some((name) => name !== null && matchesGlob(glob, name)))
