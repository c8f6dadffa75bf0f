const mark = /^\uFEFF/

/** Returns a text without its byte order mark, which an editor would show as a character. */
export const withoutMark = (text: string): string => text.replace(mark, '')

/**
 * Returns a function that gives an edited text the byte order mark and the line ends of a file. An
 * editor has lines only, so without it each line of a file from Windows would change with the first
 * letter. New lines end as the first line of the file does.
 *
 * ```ts
 * keepEnds('a\r\nb')('a\nnew\nb') // 'a\r\nnew\r\nb'
 * ```
 */
export function keepEnds(file: string): (edited: string) => string {
  if (!mark.test(file) && !file.includes('\r')) return (edited) => edited
  const parts = withoutMark(file).split(/(\r\n?|\n)/)
  const lines = parts.flatMap((text, at) =>
    at % 2 === 0 ? [{ text, end: parts[at + 1] ?? '' }] : [],
  )
  const usual = lines[0]?.end || '\n'
  const byText = new Map(lines.toReversed().map(({ text, end }) => [text, end || usual]))
  const start = mark.test(file) ? '\uFEFF' : ''
  return (edited) => {
    if (edited === '') return ''
    const texts = edited.split('\n')
    const fromEnd = lines.length - texts.length
    const first = texts.findIndex((text, at) => text !== lines[at]?.text)
    const last = texts.findLastIndex((text, at) => text !== lines[at + fromEnd]?.text)
    const endAt = (at: number, text: string) => {
      if (first === -1 || at < first) return lines[at]?.end
      return at > last ? lines[at + fromEnd]?.end : byText.get(text)
    }
    const ended = texts.map((text, at) =>
      at === texts.length - 1 ? text : text + (endAt(at, text) || usual),
    )
    return start + ended.join('')
  }
}
