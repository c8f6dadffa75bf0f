import type { Io } from '../io.ts'
import { liveLines } from './live-lines.ts'
import { jsonLine, type ProgressMode } from './progress.ts'
import { bytes } from './units.ts'

/** Shows the progress of a transfer on standard error. Sizes in bytes. */
export interface Bar {
  show(done: number, total: number): void
  end(): void
}

/**
 * Returns a bar that is redrawn in place on a terminal. Elsewhere it prints a line per quarter, as
 * text or JSON, or nothing.
 */
export function makeBar(io: Io, mode: ProgressMode, title: string): Bar {
  if (mode === 'tty') return drawn(io, title)
  if (mode === 'quiet') return { show() {}, end() {} }
  const line = (done: number, total: number, quarter: number) =>
    mode === 'json'
      ? jsonLine({ transfer: title, bytes: done, total })
      : `${title}: ${quarter * 25} % of ${bytes(total)}\n`
  return lined(io, line)
}

function drawn({ stderr }: Io, title: string): Bar {
  const since = Date.now()
  const lines = liveLines(stderr)
  return {
    show(done, total) {
      const share = total === 0 ? 1 : done / total
      const columns = Math.max(5, Math.min(30, (stderr.columns ?? 80) - title.length - 40))
      const filled = Math.round(share * columns)
      const seconds = Math.max(0.001, (Date.now() - since) / 1000)
      const text = `${bytes(done)} of ${bytes(total)}, ${bytes(done / seconds)}/s`
      const bar = `${'█'.repeat(filled)}${'░'.repeat(columns - filled)}`
      lines.draw([`${title} ${bar} ${Math.floor(share * 100)} %  ${text}`])
    },
    end: () => lines.clear(),
  }
}

function lined(
  { stderr }: Io,
  lineOf: (done: number, total: number, quarter: number) => string,
): Bar {
  let said = 0
  return {
    show(done, total) {
      const quarter = total === 0 ? 4 : Math.floor((done / total) * 4)
      if (quarter <= said) return
      said = quarter
      stderr.write(lineOf(done, total, quarter))
    },
    end() {},
  }
}
