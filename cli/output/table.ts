import type { Style } from './paint.ts'
import { clean, cutMiddle, widthOf } from './text.ts'

/** A column: its header, its text for a row and, optionally, a style derived from the text. */
export interface Column<Row> {
  head: string
  text(row: Row): string | number | null | undefined
  style?(text: string): Style | undefined
  /** A column that moves below its row where the table is too wide; the highest number first. */
  fold?: number
}

type Paint = (style: Style, text: string) => string

const gap = 2
/** Columns are shortened to this width, or to that of their header, but not further. */
const narrowest = 8

/**
 * Returns the lines of a table: its headers, then a line per row. Texts are escaped. If the
 * table is wider than `room`, columns that fold become lines below each row, such as
 * `  links  http://…`; empty ones are omitted. Such a line is not cut, so that a link stays whole.
 * If the table is still too wide, the middle of long texts is cut.
 *
 * @param paint applies to headers and styled cells
 */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  paint: Paint,
  room = Number.POSITIVE_INFINITY,
): string[] {
  const folded = foldedColumns(rows, columns, room)
  const shown = columns.filter((column) => !folded.has(column))
  const texts = rows.map((row) => shown.map((column) => textOf(column, row)))
  const widths = fitted(widthsOf(texts, shown), shown, room)
  const lineOf = (cells: readonly string[], styleOf: (at: number) => Style | undefined) =>
    cells
      .map((cell, at) => {
        const width = widths[at] ?? 0
        const text = cutMiddle(cell, width)
        const style = styleOf(at)
        const space = at === cells.length - 1 ? 0 : width - widthOf(text) + gap
        return (style ? paint(style, text) : text) + ' '.repeat(space)
      })
      .join('')
  const below = columns.filter((column) => folded.has(column))
  return [
    lineOf(
      shown.map(({ head }) => head),
      () => 'bold',
    ),
    ...texts.flatMap((cells, index) => [
      lineOf(cells, (at) => shown[at]?.style?.(cells[at] ?? '')),
      ...linesBelow(rows[index] as Row, below, paint),
    ]),
  ]
}

function linesBelow<Row>(row: Row, columns: readonly Column<Row>[], paint: Paint): string[] {
  const width = Math.max(...columns.map(({ head }) => head.length))
  return columns.flatMap(({ head, text }) => {
    const shown = clean(String(text(row) ?? ''))
    return shown === '' ? [] : [`  ${paint('dim', head.toLowerCase().padEnd(width))}  ${shown}`]
  })
}

function textOf<Row>({ text }: Column<Row>, row: Row): string {
  const value = text(row)
  return value === null || value === undefined || value === '' ? '-' : clean(String(value))
}

const widthsOf = <Row>(texts: readonly string[][], columns: readonly Column<Row>[]): number[] =>
  columns.map(({ head }, at) =>
    Math.max(head.length, ...texts.map((cells) => widthOf(cells[at] ?? ''))),
  )

const total = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + gap, -gap)

function foldedColumns<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  room: number,
): Set<Column<Row>> {
  const folded = new Set<Column<Row>>()
  const order = columns
    .filter(({ fold }) => fold !== undefined)
    .sort((one, other) => (other.fold ?? 0) - (one.fold ?? 0))
  for (const column of order) {
    const shown = columns.filter((one) => !folded.has(one))
    const texts = rows.map((row) => shown.map((one) => textOf(one, row)))
    if (total(widthsOf(texts, shown)) <= room) break
    folded.add(column)
  }
  return folded
}

/** Returns widths that fit into the room: the widest columns are narrowed, one column at a time. */
function fitted<Row>(
  natural: readonly number[],
  columns: readonly Column<Row>[],
  room: number,
): number[] {
  const widths = [...natural]
  const least = columns.map(({ head }) => Math.max(narrowest, head.length))
  for (let over = total(widths) - room; over > 0; over -= 1) {
    let widest = -1
    for (const [at, width] of widths.entries()) {
      if (width > (least[at] ?? 0) && width > (widths[widest] ?? 0)) widest = at
    }
    if (widest < 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}
