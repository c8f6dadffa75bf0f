import { styleText } from 'node:util'
import type { Reply } from './client.ts'
import type { Io, Out } from './io.ts'
import { clean, widthOf } from './text.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** A column: its header, its text for a row and, optionally, a style derived from the text. */
export interface Column<Row> {
  head: string
  text(row: Row): string | number | null | undefined
  style?(text: string): Style | undefined
}

/** Prints a command's output: data to standard output, everything else to standard error. */
export interface Printer {
  format: 'table' | 'json'
  /** Prints the raw response with `--output json`, else calls `shown`. */
  reply<T>(reply: Reply<T>, shown: (value: T) => void): void
  /** Prints rows under their headers, in aligned columns. */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void
  /** Prints `name  value` lines. */
  facts(facts: Record<string, string | number | null | undefined>): void
  /** Prints a line of data. Not escaped. */
  line(text: string): void
  /** Prints a line to standard error. Not escaped. */
  note(text: string): void
}

export function makePrinter({ stdout, stderr, env }: Io, format: Printer['format']): Printer {
  const paint = painter(stdout, env)
  const line = (text: string) => void stdout.write(`${text}\n`)
  const note = (text: string) => void stderr.write(`${text}\n`)
  return {
    format,
    line,
    note,
    reply({ value, answer }, shown) {
      if (format === 'json') writeRaw(stdout, answer.text)
      else shown(value)
      if (answer.headers['x-result-truncated'] === 'true')
        note('the list is truncated: there are more')
    },
    table(rows, columns) {
      for (const text of tableLines(rows, columns, paint)) line(text)
    },
    facts(facts) {
      const known = Object.entries(facts).filter(([, value]) => value !== undefined)
      const width = Math.max(...known.map(([name]) => name.length))
      for (const [name, value] of known)
        line(`${name.padEnd(width)}  ${clean(String(value ?? '-'))}`)
    },
  }
}

/**
 * Returns a function that colours text, if the stream is a terminal and colours are not disabled.
 */
export function painter(stream: Out, env: Io['env']): (style: Style, text: string) => string {
  const plain = !stream.isTTY || Boolean(env.NO_COLOR) || env.TERM === 'dumb'
  return (style, text) => (plain ? text : styleText(style, text, { validateStream: false }))
}

function writeRaw(stdout: Out, text: string): void {
  stdout.write(text)
  // On a terminal the prompt must not follow on the same line. A program gets the response
  // unchanged.
  if (stdout.isTTY && text !== '' && !text.endsWith('\n')) stdout.write('\n')
}

/**
 * Returns the lines of a table: its headers, then a line per row. Texts are escaped. `paint`
 * applies to headers and styled cells.
 */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  paint: (style: Style, text: string) => string,
): string[] {
  const texts = rows.map((row) => columns.map((column) => shown(column.text(row))))
  const widths = columns.map(({ head }, at) =>
    Math.max(head.length, ...texts.map((cells) => widthOf(cells[at] ?? ''))),
  )
  const join = (cells: string[], styles: (Style | undefined)[]) =>
    cells
      .map((cell, at) => {
        const style = styles[at]
        const gap = at === cells.length - 1 ? '' : ' '.repeat((widths[at] ?? 0) - widthOf(cell) + 2)
        return (style ? paint(style, cell) : cell) + gap
      })
      .join('')
  const head = join(
    columns.map((column) => column.head),
    columns.map(() => 'bold'),
  )
  return [
    head,
    ...texts.map((cells) =>
      join(
        cells,
        columns.map((one, at) => one.style?.(cells[at] ?? '')),
      ),
    ),
  ]
}

function shown(value: string | number | null | undefined): string {
  return value === null || value === undefined || value === '' ? '-' : clean(String(value))
}
