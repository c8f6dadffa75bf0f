import type { BackupRun } from '../api/types.ts'
import type { Io } from '../io.ts'
import { liveLines } from './live-lines.ts'
import { painter } from './paint.ts'
import { frames, type Progress, type ProgressMode, progressIn } from './progress.ts'
import { clean, cutMiddle } from './text.ts'
import { bytes, duration } from './units.ts'

/** Returns what shows a backup or restore, one line for each of its parts. */
export const makeRunProgress = (io: Io, mode: ProgressMode): Progress<BackupRun> =>
  progressIn(io, mode, { tty: drawn, plain: lined, facts: factsOf })

const factsOf = ({ id, kind, status, error, progress }: BackupRun) => [
  { run: id, kind, status, error, ...progress },
]

function lined({ stderr }: Io): Progress<BackupRun> {
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

/** A part that is under way or done, and when it began by the local clock. */
interface Part {
  name: string
  since: number
  /** The bytes of the run when the part began. */
  from: number
  end?: { at: number; bytes: number }
}

function drawn(io: Io): Progress<BackupRun> {
  const lines = liveLines(io.stderr)
  const speedOf = speedometer()
  const parts: Part[] = []
  const paint = painter(io.stderr, io.env)
  let [turn, last] = [0, [] as string[]]
  const room = () => Math.max(10, (io.stderr.columns ?? 80) - 40)
  const endPart = (now: number, size: number) => {
    const open = parts.at(-1)
    if (open) open.end ??= { at: now, bytes: size }
  }
  return {
    show({ status, progress }) {
      const now = Date.now()
      const name = progress.part ?? 'beginning'
      if (status !== 'running') endPart(now, progress.bytes)
      else if (parts.at(-1)?.name !== name) {
        endPart(now, progress.bytes)
        parts.push({ name, since: now, from: progress.bytes })
      }
      const spinner = frames[turn % frames.length] ?? ''
      turn += 1
      last = parts
        .filter((part) => part.name !== 'beginning' || !part.end)
        .map(({ name, since, from, end }) => {
          const mark = end ? paint('green', '✔') : paint('cyan', spinner)
          const size = bytes((end?.bytes ?? progress.bytes) - from)
          const facts = `${size}  ${duration((end?.at ?? now) - since)}`
          return `${mark} ${cutMiddle(clean(name), room())}  ${paint('dim', facts)}`
        })
      if (status === 'running') {
        const speed = speedOf(now, progress.bytes)
        const sizes = `${bytes(progress.bytes)} read, ${bytes(progress.stored_bytes)} stored${speed}`
        last.push(paint('dim', `  ${countOf(progress)}${sizes}`))
      }
      lines.draw(last.slice(-Math.max(3, (io.stderr.rows ?? 24) - 2)))
    },
    away: (why) => lines.draw([...last, paint('yellow', clean(why))]),
    end: () => lines.leave(),
  }
}

/** Returns a function that returns the speed as text, from the bytes at each moment. */
function speedometer() {
  const seen: { at: number; bytes: number }[] = []
  return (at: number, size: number): string => {
    const last = { at, bytes: size }
    seen.push(last)
    while (seen.length > 2 && (seen[0]?.at ?? 0) < at - measured) seen.shift()
    const [first = last] = seen
    const seconds = (last.at - first.at) / 1000
    return seconds > 0 ? `, ${bytes((last.bytes - first.bytes) / seconds)}/s` : ''
  }
}

const countOf = ({ done, parts }: BackupRun['progress']) =>
  parts === 0 ? '' : `${Math.min(done + 1, parts)} of ${parts}  `
