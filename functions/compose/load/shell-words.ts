/**
 * Splits a command as the Compose tools do. White space separates words; quotes and backslashes
 * preserve it. A shell operator (`;`, `&`, `|`, `<`, `>`) ends the command because no shell runs
 * it. Parentheses are allowed in `$(…)` only. Returns undefined if a quote or a parenthesis is not
 * closed.
 */
export function splitWords(text: string): string[] | undefined {
  const words: string[] = []
  let word = ''
  let isInWord = false
  let quote = ''
  let inParentheses = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const bare = quote === '' && !inParentheses
    if (character === '\\' && quote !== "'") {
      at += 1
      if (at >= text.length) return undefined
      word += text[at]
      isInWord = true
    } else if (quote !== '' && character === quote) {
      quote = ''
      if (character === '`') word += character
    } else if (bare && (character === '"' || character === "'" || character === '`')) {
      quote = character
      isInWord = true
      if (character === '`') word += character
    } else if (bare && /\s/.test(character)) {
      if (isInWord) words.push(word)
      word = ''
      isInWord = false
    } else if (bare && ';&|<>'.includes(character)) {
      // A digit before `>` is a file descriptor and belongs to the redirection.
      if (character === '>' && /^\d/.test(word)) isInWord = false
      break
    } else {
      if (quote === '' && character === '(') {
        if (inParentheses || !word.endsWith('$')) return undefined
        inParentheses = true
      } else if (quote === '' && character === ')') inParentheses = !inParentheses
      word += character
      isInWord = true
    }
  }
  if (quote !== '' || inParentheses) return undefined
  return isInWord ? [...words, word] : words
}
