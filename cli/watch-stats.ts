import type { Client } from './client.ts'
import type { Call } from './command.ts'
import { ApiFailure, interrupted } from './failure.ts'
import { followFeed, parseMessage } from './follow-feed.ts'
import { path } from './http.ts'
import type { Io } from './io.ts'
import type { Printer } from './print.ts'
import type { StatsMessage } from './records.ts'
import { type StatsRow, statsColumns, statsPicture } from './stats-table.ts'
import { clean } from './text.ts'
import { written } from './written.ts'

/** The flags of each command that watches figures. */
export const statsFlags = { '--no-stream': 'Show the first figures alone' } as const

/** What the help of each of them says. */
export const statsDetails =
  'On a terminal the table is drawn anew about once a second, until Ctrl-C or until all have stopped; elsewhere, and\n' +
  'with --no-stream, there is one table of the first figures. A container that stops leaves the table. `--output json`\n' +
  'prints each message as a line of its own, with the container_id and the name that it is about.'

/** A container whose figures are wanted. */
export interface Watched {
  id: string
  name: string
}

/** Takes what the feeds bring. */
interface Show {
  take(one: Watched, message: StatsMessage): Promise<void> | void
  /** The figures of a container end, with or without a message of that. */
  leave(one: Watched): void
  /** A word on the connection; none when it is well. */
  notice(text: string): void
  end(): void
}

type Given = Pick<Call<string, typeof statsFlags>, 'flags' | 'io' | 'print'>

/**
 * Shows what containers of a host use, until all have stopped or, where that is asked for or there is no terminal, until
 * each has figures. Throws a `CliFailure`: 130 after an interrupt.
 */
export async function watchStats(
  { flags, io, print }: Given,
  service: Client,
  containers: readonly Watched[],
  host: string | undefined,
): Promise<void> {
  const canDraw = io.stdout.isTTY && io.env.TERM !== 'dumb'
  const firstAlone = flags.noStream || (print.format === 'table' && !canDraw)
  const stop = new AbortController()
  const makeShow = () => {
    if (print.format === 'json') return jsonLines(io, print)
    return firstAlone ? oneTable(print, containers) : drawnTable(io, containers, stop.signal)
  }
  const show = makeShow()
  const undo = io.onInterrupt?.(() => stop.abort())
  const interrupt = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(interrupted()))
  })
  try {
    const all = containers.map((one) => follow(one, { service, host, show, stop, firstAlone }))
    await Promise.race([Promise.all(all), interrupt])
    show.end()
  } finally {
    undo?.()
    stop.abort()
  }
}

interface Following {
  service: Client
  host: string | undefined
  show: Show
  stop: AbortController
  firstAlone: boolean
}

async function follow(one: Watched, { service, host, show, stop, firstAlone }: Following) {
  const { signal } = stop
  const note = (text: string) => show.notice(text)
  const feed = followFeed(service, path`/ws/stats/${one.id}`, () => ({ host }), { note }, signal)
  try {
    for await (const text of feed) {
      if (signal.aborted) return
      show.notice('')
      const message = parseMessage<StatsMessage>(text)
      await show.take(one, message)
      if (firstAlone && !('end' in message)) return
    }
  } catch (error) {
    if (signal.aborted) return
    // Removed since it was listed.
    if (!(error instanceof ApiFailure) || error.status !== 404) throw error
  }
  show.leave(one)
}

function jsonLines({ stdout }: Io, print: Printer): Show {
  let last = Promise.resolve()
  return {
    // One after the other: a reader who is slower holds all of them.
    take({ id, name }, message) {
      const line = JSON.stringify({ container_id: id, name, ...message })
      last = last.then(() => written(stdout, `${line}\n`))
      return last
    },
    leave() {},
    notice: noticesOnce(print),
    end() {},
  }
}

/** Many feeds lose one connection: that is said once. */
function noticesOnce(print: Printer): Show['notice'] {
  let said = ''
  return (text) => {
    if (text && text !== said) print.note(clean(text))
    said = text
  }
}

/** The last figures of containers in their order. */
function latest(containers: readonly Watched[]) {
  const rows = new Map<string, StatsRow>()
  return {
    take({ id, name }: Watched, message: StatsMessage) {
      if ('end' in message) rows.delete(id)
      else rows.set(id, { id, name, sample: message })
    },
    leave: ({ id }: Watched) => void rows.delete(id),
    rows: () => containers.flatMap(({ id }) => rows.get(id) ?? []),
  }
}

function oneTable(print: Printer, containers: readonly Watched[]): Show {
  const { rows, take, leave } = latest(containers)
  return {
    take,
    leave,
    notice: noticesOnce(print),
    end: () => print.table(rows(), statsColumns),
  }
}

/** Milliseconds between two pictures. */
const every = 1000

function drawnTable(io: Io, containers: readonly Watched[], signal: AbortSignal): Show {
  const { rows, take, leave } = latest(containers)
  const picture = statsPicture(io)
  const silent = new Set(containers.map(({ id }) => id))
  let notice = ''
  let due: NodeJS.Timeout | undefined
  const draw = () => {
    clearTimeout(due)
    due = undefined
    picture.draw(rows(), notice)
  }
  const changed = () => {
    due ??= setTimeout(draw, every)
  }
  /** The first picture waits for each container, not for its turn. */
  const heard = ({ id }: Watched) => (silent.delete(id) && silent.size === 0 ? draw() : changed())
  signal.addEventListener('abort', () => clearTimeout(due))
  return {
    take(one, message) {
      take(one, message)
      heard(one)
    },
    leave(one) {
      leave(one)
      heard(one)
    },
    notice(text) {
      if (text === notice) return
      notice = clean(text)
      changed()
    },
    end: draw,
  }
}
