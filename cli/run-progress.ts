import type { Shown } from './follow.ts'
import type { Io } from './io.ts'
import { painter } from './print.ts'
import type { BackupRun } from './records.ts'
import { clean, cut } from './text.ts'
import { bytes } from './units.ts'

/**
 * Returns a line that is redrawn on a terminal. Elsewhere it prints a line per part, or nothing
 * with JSON output.
 */
export function makeRunProgress(io: Io, format: 'table' | 'json'): Shown<BackupRun> {
  if (io.stderr.isTTY && io.env.TERM !== 'dumb') return drawn(io)
  return format === 'json' ? { show() {}, away() {}, end() {} } : lined(io)
}

function lined({ stderr }: Io): Shown<BackupRun> {
  let said: string | null = null
  return {
    show({ status, progress }) {
      if (status !== 'running' || progress.part === null || progress.part === said) return
      said = progress.part
      stderr.write(`${countOf(progress)}${clean(progress.part)}\n`)
    },
    away: (why) => void stderr.write(`${clean(why)}\n`),
    end() {},
  }
}

/** Speed is measured over the last milliseconds of this number, by the local clock. */
const measured = 5000

function drawn({ stderr, env }: Io): Shown<BackupRun> {
  const seen: { at: number; bytes: number }[] = []
  const write = (text: string) =>
    stderr.write(`\r\u001b[K${cut(text, Math.max(10, (stderr.columns ?? 80) - 1))}`)
  return {
    show({ status, progress }) {
      if (status !== 'running') return
      seen.push({ at: Date.now(), bytes: progress.bytes })
      while (seen.length > 2 && seen[0]!.at < Date.now() - measured) seen.shift()
      const [first, last] = [seen[0]!, seen.at(-1)!]
      const seconds = (last.at - first.at) / 1000
      const speed = seconds > 0 ? `, ${bytes((last.bytes - first.bytes) / seconds)}/s` : ''
      const sizes = `${bytes(progress.bytes)} read, ${bytes(progress.stored_bytes)} stored${speed}`
      write(`${countOf(progress)}${clean(progress.part ?? 'beginning')}  ${sizes}`)
    },
    away: (why) => void write(painter(stderr, env)('yellow', clean(why))),
    end: () => void stderr.write('\r\u001b[K'),
  }
}

const countOf = ({ done, parts }: BackupRun['progress']) =>
  parts === 0 ? '' : `${Math.min(done + 1, parts)} of ${parts}  `
