import type { OutputStream } from '../io.ts'
import { cutStyled } from './text.ts'

/** Lines at the bottom of a terminal that are redrawn in place. */
export interface LiveLines {
  /** Replaces the lines that were drawn before. Lines that do not fit are cut. */
  draw(lines: readonly string[]): void
  /** Removes the lines. */
  clear(): void
  /** Keeps the lines. What is drawn later goes below what others write in the meantime. */
  leave(): void
}

/**
 * Returns lines that overwrite the previous ones in a single write. They therefore do not flicker,
 * and nothing has to be restored. Rows that the terminal does not have are left out: they could not
 * be overwritten.
 */
export function liveLines(stream: OutputStream): LiveLines {
  let height = 0
  const up = () => (height === 0 ? '' : `\u001b[${height}A\r`)
  return {
    draw(lines) {
      const { columns = 80, rows = 24 } = stream
      const shown = lines.slice(0, Math.max(2, rows - 1))
      const texts = shown.map((line) => `${cutStyled(line, Math.max(10, columns - 1))}\u001b[K\n`)
      stream.write(`${up()}${texts.join('')}\u001b[J`)
      height = shown.length
    },
    clear() {
      if (height > 0) stream.write(`${up()}\u001b[J`)
      height = 0
    },
    leave() {
      height = 0
    },
  }
}

/** Returns whether lines of the stream can be redrawn. */
export const isDrawable = (
  stream: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
): boolean => Boolean(stream.isTTY) && env.TERM !== 'dumb'
