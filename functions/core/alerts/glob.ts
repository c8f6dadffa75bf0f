/** Whether a name is one that the glob means: `*` stands for any characters, `?` for one. Takes no longer than both lengths multiplied. */
export function matchesGlob(glob: string, name: string): boolean {
  let [at, star, mark] = [0, -1, 0]
  let index = 0
  while (index < name.length) {
    const wanted = glob[at]
    if (wanted === '*') {
      star = at
      mark = index
      at += 1
    } else if (wanted === '?' || (wanted !== undefined && wanted === name[index])) {
      at += 1
      index += 1
    } else if (star >= 0) {
      // The last star takes one character more.
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

/** Whether any of the globs means any of the names; without globs everything is meant. */
export function matchesAny(
  globs: readonly string[] | undefined,
  ...names: readonly (string | null)[]
): boolean {
  if (globs === undefined) return true
  return globs.some((glob) => names.some((name) => name !== null && matchesGlob(glob, name)))
}
