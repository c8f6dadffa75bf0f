import type { Io } from '../io.ts'
import { bytes } from '../units.ts'

/** Shows the progress of a transfer on standard error. Sizes in bytes. */
export interface Bar {
  show(done: number, total: number): void
  end(): void
}

/**
 * Returns a bar that is redrawn in place on a terminal. Elsewhere it prints a line per quarter, or
 * nothing with JSON output.
 */
export function makeBar(io: Io, format: 'table' | 'json', title: string): Bar {
  if (io.stderr.isTTY && io.env.TERM !== 'dumb') return drawn(io, title)
  return format === 'json' ? { show() {}, end() {} } : lined(io, title)
}

function drawn({ stderr }: Io, title: string): Bar {
  const since = Date.now()
  return {
    show(done, total) {
      const share = total === 0 ? 1 : done / total
      const columns = Math.max(5, Math.min(30, (stderr.columns ?? 80) - title.length - 40))
      const filled = Math.round(share * columns)
      const seconds = Math.max(0.001, (Date.now() - since) / 1000)
      const text = `${bytes(done)} of ${bytes(total)}, ${bytes(done / seconds)}/s`
      const bar = `${'█'.repeat(filled)}${'░'.repeat(columns - filled)}`
      stderr.write(`\r\u001b[K${title} ${bar} ${Math.floor(share * 100)} %  ${text}`)
    },
    end() {
      stderr.write('\r\u001b[K')
    },
  }
}

function lined({ stderr }: Io, title: string): Bar {
  let said = 0
  return {
    show(done, total) {
      const quarter = total === 0 ? 4 : Math.floor((done / total) * 4)
      if (quarter <= said) return
      said = quarter
      stderr.write(`${title}: ${quarter * 25} % of ${bytes(total)}\n`)
    },
    end() {},
  }
}
