import { t } from '../../text/text.ts'
import { type Piece, piecesOf, plainText } from './ansi.ts'
import { parseJsonLine } from './json-line.ts'
import type { LogLine } from './log-ring.ts'
import { breaksOf, rowCount } from './wrap-text.ts'

/** Longer lines are cut: a line of a megabyte would stop the page. */
const longest = 8000

/** The class of the button after a line that is cut. */
export const moreClass = 'log-more'

/** How to display lines; the reader's choice. */
export interface LogDisplay {
  wrap: boolean
  times: boolean
  /** Shows JSON objects as level, message and fields. */
  json: boolean
}

/** Returns the pieces to show for a line. */
export function shownPieces({ text, kind }: LogLine, { json }: Pick<LogDisplay, 'json'>): Piece[] {
  if (kind === 'note') return [{ text: text.slice(0, longest), classes: 'note' }]
  if (text.length > longest) {
    const words = t.logs.showWhole(Math.ceil(text.length / 1024))
    return [...piecesOf(`${text.slice(0, longest)} … `), { text: words, classes: moreClass }]
  }
  return (json ? parseJsonLine(text) : undefined) ?? piecesOf(text)
}

/** Returns the text to show for a line. */
export const shownText = (line: LogLine, display: Pick<LogDisplay, 'json'>): string =>
  shownPieces(line, display)
    .map(({ text }) => text)
    .join('')

/** How to display lines where rows have room for a number of letters. */
export interface ShownAs extends LogDisplay {
  columns: number
}

/** Returns how many rows a line takes. */
export const rowsOf = (line: LogLine, display: ShownAs): number =>
  display.wrap ? rowCount(shownText(line, display), display.columns) : 1

/** Divides the pieces of a line into those of its rows. */
export function wrapPieces(pieces: readonly Piece[], columns: number): Piece[][] {
  const breaks = breaksOf(pieces.map(({ text }) => text).join(''), columns)
  const rows: Piece[][] = [[]]
  let at = 0
  for (const piece of pieces) {
    let rest = piece.text
    for (let next = breaks[rows.length - 1]; next !== undefined && next < at + rest.length; ) {
      if (next > at) rows.at(-1)?.push({ ...piece, text: rest.slice(0, next - at) })
      rest = rest.slice(next - at)
      at = next
      rows.push([])
      next = breaks[rows.length - 1]
    }
    if (rest !== '') rows.at(-1)?.push({ ...piece, text: rest })
    at += rest.length
  }
  return rows
}

/** Returns a line for a file: the time, the source, and the text as a person reads it. */
export const lineOfFile = ({ time, source, text }: LogLine): string =>
  [time, source, plainText(text)].filter(Boolean).join(' ')

/** Returns the time of day of a line with milliseconds, in the reader's time zone. */
export function timeOf(time: string): string {
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) return ''
  const two = (value: number, digits = 2) => String(value).padStart(digits, '0')
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map((value) => two(value))
  return `${clock.join(':')}.${two(at.getMilliseconds(), 3)}`
}
