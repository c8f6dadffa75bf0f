/**
 * Returns whether a name matches a glob: `*` stands for any characters, `?` for one. Takes at most
 * the product of both lengths in time.
 */
export function matchesGlob(glob: string, name: string): boolean {
  let [at, star, mark] = [0, -1, 0]
  let index = 0
  while (index < name.length) {
    const expected = glob[at]
    if (expected === '*') {
      star = at
      mark = index
      at += 1
    } else if (expected === '?' || (expected !== undefined && expected === name[index])) {
      at += 1
      index += 1
    } else if (star >= 0) {
      // Let the last star match one more character.
      at = star + 1
      mark += 1
      index = mark
    } else {
      return false
    }
  }
  while (glob[at] === '*') at += 1
  return at === glob.length
}

/** Returns whether any of the globs matches any of the names. Without globs everything matches. */
export function matchesAny(
  globs: readonly string[] | undefined,
  ...names: readonly (string | null)[]
): boolean {
  if (globs === undefined) return true
  return globs.some((glob) => names.some((name) => name !== null && matchesGlob(glob, name)))
}
