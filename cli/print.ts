import { styleText } from 'node:util'
import type { Reply } from './client.ts'
import type { Io, Out } from './io.ts'
import { clean, widthOf } from './text.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** A column: its head, its text for a row, and maybe a style that follows from the text. */
export interface Column<Row> {
  head: string
  text(row: Row): string | number | null | undefined
  style?(text: string): Style | undefined
}

/** How a command shows things: data on standard output, all else on standard error. */
export interface Printer {
  format: 'table' | 'json'
  /** The answer as it came, when that is asked for; else what `shown` prints. */
  reply<T>(reply: Reply<T>, shown: (value: T) => void): void
  /** Rows under their heads, in aligned columns. */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void
  /** `name  value` lines. */
  facts(facts: Record<string, string | number | null | undefined>): void
  /** A line of data. Not cleaned. */
  line(text: string): void
  /** A line for the person alone. Not cleaned. */
  note(text: string): void
}

/** Makes the printer of a command. */
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
      if (answer.headers['x-result-truncated'] === 'true') note('the list is cut: there are more')
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

/** Colours a text, where the stream is a terminal and the person does not object. */
export function painter(stream: Out, env: Io['env']): (style: Style, text: string) => string {
  const plain = !stream.isTTY || Boolean(env.NO_COLOR) || env.TERM === 'dumb'
  return (style, text) => (plain ? text : styleText(style, text, { validateStream: false }))
}

function writeRaw(stdout: Out, text: string): void {
  stdout.write(text)
  // A prompt must not stand behind the answer; a program gets the answer and nothing else.
  if (stdout.isTTY && text !== '' && !text.endsWith('\n')) stdout.write('\n')
}

/** The lines of a table: its heads, then a line for each row. Texts are cleaned; `paint` is for heads and styles. */
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
