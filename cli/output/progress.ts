import type { Io } from '../io.ts'
import { isDrawable } from './live-lines.ts'
import { clean, escapeControlCharacters } from './text.ts'

/** Shows the progress of an operation on standard error. */
export interface Progress<T> {
  show(value: T): void
  /** Says why there is no progress for a while. */
  away(why: string): void
  end(): void
}

/**
 * How progress is shown: in lines that are redrawn, in a line for each end of a step, as JSON for
 * programs, or not at all.
 */
export type ProgressMode = 'tty' | 'plain' | 'json' | 'quiet'

/** Returns how progress is shown by default: drawn on terminals, and not beside JSON elsewhere. */
export function usualProgress(
  { stderr, env }: Pick<Io, 'stderr' | 'env'>,
  isStructured: boolean,
): ProgressMode {
  if (isDrawable(stderr, env)) return 'tty'
  return isStructured ? 'quiet' : 'plain'
}

export const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** How one kind of operation is shown. */
interface Forms<T> {
  tty: (io: Io) => Progress<T>
  plain: (io: Io) => Progress<T>
  /** What is printed of it as JSON. */
  facts: (value: T) => readonly object[]
}

/** Returns the progress of an operation as a mode shows it. */
export function progressIn<T>(io: Io, mode: ProgressMode, forms: Forms<T>): Progress<T> {
  if (mode === 'quiet') return { show() {}, away() {}, end() {} }
  return mode === 'json' ? jsonProgress(io, forms.facts) : forms[mode](io)
}

/** Returns a fact as a line of JSON, in which nothing controls a terminal. */
export const jsonLine = (fact: object): string =>
  `${escapeControlCharacters(JSON.stringify(fact))}\n`

/** Returns progress that prints each fact as a line of JSON when it appears or changes. */
function jsonProgress<T>(
  { stderr }: Pick<Io, 'stderr'>,
  factsOf: (value: T) => readonly object[],
): Progress<T> {
  const said: string[] = []
  return {
    show(value) {
      factsOf(value).forEach((fact, at) => {
        const line = jsonLine(fact)
        if (said[at] !== line) stderr.write(line)
        said[at] = line
      })
    },
    away: (why) => void stderr.write(jsonLine({ notice: clean(why) })),
    end() {},
  }
}
