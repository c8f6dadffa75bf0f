import type { Reply } from '../api/client.ts'
import type { Io } from '../io.ts'
import { painter } from './paint.ts'
import { type ProgressMode, usualProgress } from './progress.ts'
import type { Structured } from './structured.ts'
import { type Column, tableLines } from './table.ts'
import { clean } from './text.ts'
import { writeWithBackpressure } from './write-with-backpressure.ts'

/** Prints a command's output: data to standard output, everything else to standard error. */
export interface Printer {
  /** `json` for each format that programs read: JSON, YAML, names and selected values. */
  format: 'table' | 'json'
  /** How to show progress. */
  progress: ProgressMode
  /**
   * Prints the response in the requested format, or calls `shown` for tables. Notes that a
   * list was truncated, with `rest`: how to reach what was left out.
   */
  reply<T>(
    reply: Reply<T>,
    shown: (value: T) => void,
    rest?: (value: T) => string | undefined,
  ): void
  /** Prints a value that is not a response in the requested format, or calls `shown`. */
  data<T>(value: T, shown: (value: T) => void): void
  /** Prints a message of a feed, which is JSON, in the requested format. */
  message(text: string): Promise<void>
  /** Prints rows under their headers, in aligned columns that fit the terminal. */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void
  /** Prints `name  value` lines. */
  facts(facts: Record<string, string | number | null | undefined>): void
  /** Prints a line of data. Not escaped. */
  line(text: string): void
  /** Prints a line to standard error. Not escaped. */
  note(text: string): void
}

/** How a command prints. */
export interface PrintOptions {
  /** Tables are printed without it. */
  structured?: Structured
  /** Removes the rows of a response that are not wanted. */
  keep?<T>(value: T): T
  /** Tables are as wide as their texts. */
  wide?: boolean
  /** How to show progress, if not as usual. */
  progress?: ProgressMode
}

export function makePrinter(io: Io, options: PrintOptions = {}): Printer {
  const { stdout, stderr, env } = io
  const { structured, keep, wide } = options
  const paint = painter(stdout, env)
  const line = (text: string) => void stdout.write(`${text}\n`)
  const note = (text: string) => void stderr.write(`${text}\n`)
  let isFirst = true
  const textOf = (value: unknown, raw?: string) => {
    const separator = isFirst ? '' : (structured?.separator ?? '')
    isFirst = false
    return separator + (structured?.(value, raw) ?? '')
  }
  const room = stdout.isTTY && !wide ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY
  return {
    format: structured ? 'json' : 'table',
    progress: options.progress ?? usualProgress(io, structured !== undefined),
    line,
    note,
    reply({ value, answer }, shown, rest) {
      const kept = keep ? keep(value) : value
      if (!structured) shown(kept)
      else if (answer.text !== '') stdout.write(textOf(kept, keep ? undefined : answer.text))
      if (answer.headers['x-result-truncated'] === 'true')
        note(['the list is truncated: there are more', rest?.(value)].filter(Boolean).join('; '))
    },
    data(value, shown) {
      const kept = keep ? keep(value) : value
      if (structured) stdout.write(textOf(kept))
      else shown(kept)
    },
    async message(text) {
      if (structured) await writeWithBackpressure(stdout, textOf(JSON.parse(text), text))
    },
    table(rows, columns) {
      for (const text of tableLines(rows, columns, paint, room)) line(text)
    },
    facts(facts) {
      const known = Object.entries(facts).filter(([, value]) => value !== undefined)
      const width = Math.max(...known.map(([name]) => name.length))
      for (const [name, value] of known)
        line(`${name.padEnd(width)}  ${clean(String(value ?? '-'))}`)
    },
  }
}
