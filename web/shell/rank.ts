/** What is searched of an entry. */
interface Searched {
  label: string
  hint?: string
}

/**
 * Returns the entries that contain every word of a query, the best first: those whose name begins
 * with it, then those with a word that does, then the others. Entries of one rank keep their order.
 */
export function rank<T extends Searched>(query: string, entries: readonly T[], max = 50): T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return entries
    .map((entry, index) => ({ entry, index, score: scoreOf(words, entry) }))
    .filter(({ score }) => score > 0)
    .sort((one, two) => two.score - one.score || one.index - two.index)
    .slice(0, max)
    .map(({ entry }) => entry)
}

function scoreOf(words: readonly string[], { label, hint = '' }: Searched): number {
  const name = label.toLowerCase()
  let score = 1
  for (const word of words) {
    const at = name.indexOf(word)
    if (at === 0) score += 8
    else if (at > 0) score += /[\s\-_./:]/.test(name[at - 1] ?? '') ? 4 : 2
    else if (hint.toLowerCase().includes(word)) score += 1
    else return 0
  }
  return score + (words.join(' ') === name ? 8 : 0)
}
