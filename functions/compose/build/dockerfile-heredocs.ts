/** A here-document of an instruction. */
export interface Heredoc {
  /** The line that ends it. */
  name: string
  /** Tabs before that line are ignored. */
  chomp: boolean
}

/**
 * Returns the here-documents that the line of an instruction announces, as BuildKit finds them: in
 * words of their own, such as `<<EOF`, `3<<-EOF` and `<<"end of file"`. A line with an open quote
 * has none.
 */
export function heredocsIn(line: string): Heredoc[] {
  if (!line.includes('<<')) return []
  return (words(line, true) ?? []).flatMap((word) => {
    const [, chomp, text = ''] = /^\d*<<(-?)([^<]*)$/s.exec(word) ?? []
    const [name, ...more] = words(text, false) ?? []
    return name === undefined || more.length > 0 ? [] : [{ name, chomp: chomp === '-' }]
  })
}

/** A variable, which stays as it is; `$` alone is a character like others. */
const variable = /\$\{[^{}]*\}/y

/**
 * Splits a line into words as a shell does, or returns undefined for an open quote. The escape
 * character is `\` whatever the directive of the Dockerfile says, as in BuildKit.
 *
 * @param raw keeps quotes and escape characters
 */
function words(line: string, raw: boolean): string[] | undefined {
  const found: string[] = []
  let word = ''
  for (let at = 0; at < line.length; ) {
    const part = partAt(line, at, raw)
    if (!part) return undefined
    at = part.end
    if (part.text !== undefined) word += part.text
    else if (word !== '') {
      found.push(word)
      word = ''
    }
  }
  return word === '' ? found : [...found, word]
}

/** A part of a word; without a text, a space between words. */
interface Part {
  text: string | undefined
  end: number
}

function partAt(line: string, at: number, raw: boolean): Part | undefined {
  const character = line[at] ?? ''
  if (/\s/.test(character)) return { text: undefined, end: at + 1 }
  if (character === '\\') return { text: line.slice(raw ? at : at + 1, at + 2), end: at + 2 }
  if (character === '"' || character === "'") return quoted(line, at, raw)
  if (!line.startsWith('${', at)) return { text: character, end: at + 1 }
  variable.lastIndex = at
  const [text] = variable.exec(line) ?? []
  return text === undefined ? undefined : { text, end: at + text.length }
}

/** Escape characters count only in double quotes, before the quote, `$` and themselves. */
function quoted(line: string, at: number, raw: boolean): Part | undefined {
  const quote = line[at] ?? ''
  let end = at + 1
  while (end < line.length && line[end] !== quote) {
    end += quote === '"' && line[end] === '\\' ? 2 : 1
  }
  if (end >= line.length) return undefined
  if (raw) return { text: line.slice(at, end + 1), end: end + 1 }
  const inside = line.slice(at + 1, end)
  const text = quote === '"' ? inside.replaceAll(/\\(["$\\])/g, '$1') : inside
  return { text, end: end + 1 }
}
