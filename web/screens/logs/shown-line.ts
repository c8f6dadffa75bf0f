import { t } from '../../text/text.ts'
import { type Piece, piecesOf, plainText } from './ansi.ts'
import { parseJsonLine } from './json-line.ts'
import type { LogLine } from './log-ring.ts'
import { isPart } from './whole-text.ts'
import { breaksOf, rowCount } from './wrap-text.ts'

/** Longer lines are cut: a line of a megabyte would stop the page. */
const longest = 8000

/** The class of the button before a line that is cut: its end is far out of sight. */
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
    const more = { text: moreWords(text), classes: moreClass }
    return [more, { text: ' ', classes: '' }, ...piecesOf(`${text.slice(0, longest)} …`)]
  }
  return (json ? parseJsonLine(text) : undefined) ?? piecesOf(text)
}

const moreWords = (text: string): string =>
  isPart(text) ? t.logs.showLine : t.logs.showWhole(Math.ceil(text.length / 1024))

/**
 * Returns the part of a line that is selected, from one offset in the text that is shown to
 * another. The end of a line that is cut stands for all of it.
 */
export function selectedText(
  line: LogLine,
  display: Pick<LogDisplay, 'json'>,
  [from, to]: readonly [number, number | undefined],
): string {
  const shown = shownText(line, display)
  if (line.kind === 'note' || line.text.length <= longest) return shown.slice(from, to)
  const before = moreWords(line.text).length + 1
  const isToEnd = to === undefined || to >= shown.length
  const end = isToEnd ? undefined : Math.max(0, to - before)
  return plainText(line.text).slice(Math.max(0, from - before), end)
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
