const quoted = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\([\s\S])|(\s+)|([^\s'"\\]+)/g

/**
 * Returns the words of a command as a shell splits them, without replacing variables. Returns
 * undefined if a quote is not closed.
 */
export function commandWords(text: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let at = 0
  for (const match of text.matchAll(quoted)) {
    if (match.index !== at) return undefined
    at += match[0].length
    const [, single, double, escaped, space, plain] = match
    if (space === undefined) {
      word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain)
    } else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  if (at !== text.length) return undefined
  return word === undefined ? words : [...words, word]
}
