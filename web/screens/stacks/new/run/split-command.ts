/** A text is not a `docker run` command. */
export class CommandError extends Error {
  readonly reason: 'quote' | 'verb' | 'image'

  constructor(reason: CommandError['reason']) {
    super(reason)
    this.name = 'CommandError'
    this.reason = reason
  }
}

/**
 * Returns the words of a shell command. A backslash at the end of a line joins two lines, and so
 * does what PowerShell and cmd have for it. Variables stay, because the compose file interpolates
 * them. `$(pwd)` becomes the directory of the stack. A literal dollar sign is doubled, as in
 * compose files.
 *
 * @throws CommandError if a quote is not closed
 */
export function splitCommand(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < text.length; at += 1) {
    const here = text[at] ?? ''
    const join = joinedLine(text, at)
    if (join > 0) at += join - 1
    else if (here === "'" || here === '"') {
      const [content, end] = quoted(text, at)
      word = (word ?? '') + content
      at = end
    } else if (here === '\\') {
      at += 1
      word = (word ?? '') + plain(text[at] ?? '')
    } else if (/\s/.test(here)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + here
  }
  if (word !== undefined) words.push(word)
  return words.map((one) => one.replace(/\$\(pwd\)|\$\{PWD\}|\$PWD\b/g, '.'))
}

/**
 * Returns the length of what joins a line with the next one; 0 if there is nothing. Texts that are
 * copied may have blanks after the sign, and those of Windows a carriage return.
 */
function joinedLine(text: string, at: number): number {
  const sign = /[\\`^][ \t]*\r?\n/y
  sign.lastIndex = at
  return sign.exec(text)?.[0].length ?? 0
}

const plain = (text: string) => text.replaceAll('$', '$$$$')

/** Returns the text between quotes, and the index of the closing quote. */
function quoted(text: string, start: number): [content: string, end: number] {
  const quote = text[start]
  let content = ''
  for (let at = start + 1; at < text.length; at += 1) {
    const here = text[at] ?? ''
    if (here === quote) return [content, at]
    const next = text[at + 1] ?? ''
    if (quote === '"' && here === '\\' && /["\\$`\n]/.test(next)) {
      content += next === '\n' ? '' : plain(next)
      at += 1
    } else content += quote === "'" ? plain(here) : here
  }
  throw new CommandError('quote')
}
