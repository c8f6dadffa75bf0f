/**
 * Returns the candidate that a mistyped text most likely means, or undefined if none is near. A
 * candidate is near if few letters differ, or if the text is the beginning of it alone.
 */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const typed = text.toLowerCase()
  const all = [...new Set(candidates)].filter((one) => one !== text)
  const beginning = all.filter((one) => typed.length > 2 && one.toLowerCase().startsWith(typed))
  if (beginning.length === 1) return beginning[0]
  const allowed = Math.max(1, Math.floor(typed.length / 3))
  const [best] = all
    .map((one) => ({ one, edits: editsBetween(typed, one.toLowerCase(), allowed) }))
    .filter(({ edits, one }) => edits <= allowed && edits < one.length)
    .sort((a, b) => a.edits - b.edits)
  return best?.one
}

/**
 * Returns the number of letters to add, remove, replace or swap with their neighbour, or more than
 * `most` as soon as that is certain.
 */
function editsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    if (Math.min(...next) > most) return most + 1
    before = row
    row = next
  }
  return row[other.length] ?? most + 1
}
