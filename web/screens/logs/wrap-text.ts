/** Letters that take two columns of a monospaced font. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u
const hasWide = /[^\u0000-\u02ff]/
/** A word is divided after these, if a row without them would be mostly empty. */
const divides = /[-/,;:&?=|_.)\]}]/
/** The part of a row that may stay empty before a word is divided. */
const emptyMost = 0.4

/**
 * Returns the offsets at which the rows of a text begin, but for the first one. Rows end between
 * words; a word that is longer than a row is divided. Blanks at the end of a row are not counted.
 */
export function breaksOf(text: string, columns: number): number[] {
  const most = Math.max(10, columns)
  if (text.length <= most && !hasWide.test(text)) return []
  const ends = hasWide.test(text) ? wideEnds(text, most) : (from: number) => from + most
  const breaks: number[] = []
  for (let from = 0; ; ) {
    const end = ends(from)
    if (end >= text.length) return breaks
    const next = nextRow(text, from, end)
    if (next >= text.length) return breaks
    breaks.push(next)
    from = next
  }
}

/** Returns how many rows a text takes. */
export const rowCount = (text: string, columns: number): number =>
  breaksOf(text, columns).length + 1

/** Returns where the next row begins, if this one has room up to `end`. */
function nextRow(text: string, from: number, end: number): number {
  if (text[end] === ' ') return skipBlanks(text, end)
  const least = from + (end - from) * (1 - emptyMost)
  let divided = -1
  for (let at = end; at > from; at -= 1) {
    const before = text[at - 1] as string
    if (before === ' ') {
      if (at > least || divided < 0) return indentsOnly(text, from, at) ? end : at
      return divided
    }
    if (divided < 0 && at > least && divides.test(before)) divided = at
  }
  return divided < 0 ? end : divided
}

/** A row must not be nothing but the blanks before a long word. */
const indentsOnly = (text: string, from: number, to: number) => text.slice(from, to).trim() === ''

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at += 1
  return at
}

/** Returns a function that returns where a row ends for the font, where letters can be wide. */
function wideEnds(text: string, most: number): (from: number) => number {
  return (from) => {
    let width = 0
    for (let at = from; at < text.length; ) {
      const letter = String.fromCodePoint(text.codePointAt(at) ?? 0)
      width += wide.test(letter) ? 2 : 1
      if (width > most) return at
      at += letter.length
    }
    return text.length
  }
}
