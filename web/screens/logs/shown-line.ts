import { type Piece, piecesOf, plainText } from './ansi.ts'
import { parseJsonLine } from './json-line.ts'
import type { LogLine } from './log-ring.ts'

/** Longer lines are cut: a line of a megabyte would stop the page. */
const longest = 8000

/** How to display lines; the reader's choice. */
export interface LogDisplay {
  wrap: boolean
  times: boolean
  /** Shows JSON objects as level, message and fields. */
  json: boolean
}

/** Returns the pieces to show for a line. */
export function shownPieces({ text, kind }: LogLine, { json }: Pick<LogDisplay, 'json'>): Piece[] {
  const cut = text.length > longest ? `${text.slice(0, longest)} …` : text
  if (kind === 'note') return [{ text: cut, classes: 'note' }]
  return (json ? parseJsonLine(cut) : undefined) ?? piecesOf(cut)
}

/** Returns the text to show for a line. */
export const shownText = (line: LogLine, display: Pick<LogDisplay, 'json'>): string =>
  shownPieces(line, display)
    .map(({ text }) => text)
    .join('')

/** Letters that take two columns of a monospaced font. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/gu

/** Returns how many rows a text takes if it wraps after a number of columns. */
export function rowsOf(text: string, columns: number): number {
  const isPlain = !/[^\u0000-\u00ff]/.test(text)
  const width = isPlain ? text.length : text.length + (text.match(wide)?.length ?? 0)
  return Math.max(1, Math.ceil(width / Math.max(10, columns)))
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
