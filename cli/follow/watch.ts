import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { interrupted, isTemporary } from '../failure.ts'
import type { Io } from '../io.ts'
import { isDrawable, liveLines } from '../output/live-lines.ts'
import { painter } from '../output/paint.ts'
import { clean } from '../output/text.ts'

/** Milliseconds between two runs. */
const every = 2000

/**
 * Runs a command again and again. On a terminal its output is redrawn in place, elsewhere it is
 * printed whenever it has changed. Continues while the service does not respond, after a first
 * success. Never returns: throws a `CliFailure` with code 130 after an interrupt.
 */
export async function watch(
  once: (io: Io) => Promise<number>,
  io: Io,
  isStructured: boolean,
  interval = every,
): Promise<never> {
  const stop = new AbortController()
  const undo = io.onInterrupt?.(() => stop.abort())
  const show = isStructured || !isDrawable(io.stdout, io.env) ? changes(io) : drawn(io)
  try {
    for (let isFirst = true; ; isFirst = false) {
      const seen = collector(io)
      try {
        await once(seen.io)
        show.output(seen.out(), seen.err())
      } catch (error) {
        if (isFirst || !isTemporary(error)) throw error
        show.away(clean(error.message))
      }
      await pause(interval, undefined, { signal: stop.signal })
    }
  } catch (error) {
    if (stop.signal.aborted) throw interrupted()
    throw error
  } finally {
    undo?.()
  }
}

interface Show {
  output(out: string, err: string): void
  /** Says why there is nothing new. */
  away(why: string): void
}

function drawn({ stdout, env }: Io): Show {
  const picture = liveLines(stdout)
  let last: string[] = []
  const draw = (lines: readonly string[]) => {
    const room = Math.max(2, (stdout.rows ?? 24) - 1)
    const more = lines.length - room + 1
    picture.draw(more > 1 ? [...lines.slice(0, room - 1), `and ${more} more`] : lines)
  }
  return {
    output(out, err) {
      last = (out + err).replace(/\n$/, '').split('\n')
      draw(last)
    },
    away: (why) =>
      draw([...last.slice(0, (stdout.rows ?? 24) - 2), painter(stdout, env)('yellow', why)]),
  }
}

function changes({ stdout, stderr }: Io): Show {
  const before = { out: '', err: '', why: '' }
  return {
    output(out, err) {
      if (out !== before.out) stdout.write(out)
      if (err !== before.err) stderr.write(err)
      Object.assign(before, { out, err, why: '' })
    },
    away(why) {
      if (why !== before.why) stderr.write(`${why}\n`)
      before.why = why
    },
  }
}

/** Returns streams like those of the terminal that collect what is written to them. */
function collector(io: Io) {
  const like = ({ isTTY, columns, rows }: Io['stdout']) => {
    const chunks: Buffer[] = []
    const stream = Object.assign(new PassThrough(), { isTTY, columns, rows })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
  }
  const [out, err] = [like(io.stdout), like(io.stderr)]
  const { onInterrupt: _, ...rest } = io
  return { io: { ...rest, stdout: out.stream, stderr: err.stream }, out: out.text, err: err.text }
}
