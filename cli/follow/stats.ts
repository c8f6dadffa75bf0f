import type { Client } from '../api/client.ts'
import type { StatsMessage } from '../api/types.ts'
import type { Call } from '../command.ts'
import { ApiFailure, interrupted } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { type StatsRow, statsColumns, statsPicture } from '../output/stats-table.ts'
import { clean } from '../output/text.ts'
import { followFeed } from './reconnecting-feed.ts'

/** Flags of commands that watch resource usage. */
export const statsFlags = { '--no-stream': 'Show only the first values' } as const

/** The help text of those commands. */
export const statsDetails =
  'On a terminal the table is refreshed about once a second, until Ctrl-C or until all containers have stopped; elsewhere,\n' +
  'and with --no-stream, one table of the first values is printed. Stopped containers are removed. `--output json`\n' +
  'prints each message on its own line, with the container_id and name of its container.'

/** A container to watch. */
export interface Watched {
  id: string
  name: string
}

/** Shows what the feeds send. */
interface Show {
  take(one: Watched, message: StatsMessage): Promise<void> | void
  /** Called when a container's samples end, with or without a message that says so. */
  leave(one: Watched): void
  /** Shows a text about the connection; an empty text means that it works. */
  notice(text: string): void
  end(): void
}

type CommandCall = Pick<Call<string, typeof statsFlags>, 'flags' | 'io' | 'print'>

/**
 * Shows the resource usage of containers on one host until all have stopped. With `--no-stream`, or
 * a table without a terminal, ends once each container has a sample. Throws a `CliFailure` with
 * code 130 after an interrupt.
 */
export async function watchStats(
  { flags, io, print }: CommandCall,
  service: Client,
  containers: readonly Watched[],
  host: string | undefined,
): Promise<void> {
  const canDraw = io.stdout.isTTY && io.env.TERM !== 'dumb'
  const firstAlone = flags.noStream || (print.format === 'table' && !canDraw)
  const stop = new AbortController()
  const makeShow = () => {
    if (print.format === 'json') return jsonLines(print)
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
  const request = () => ({ path: { id: one.id }, query: { host } })
  const feed = followFeed(service, '/ws/stats/{id}', request, { print: { note }, signal })
  try {
    for await (const { message } of feed) {
      if (signal.aborted) return
      show.notice('')
      await show.take(one, message)
      if (firstAlone && !('end' in message)) return
    }
  } catch (error) {
    if (signal.aborted) return
    // The container was removed after it was listed.
    if (!(error instanceof ApiFailure) || error.status !== 404) throw error
  }
  show.leave(one)
}

function jsonLines(print: Printer): Show {
  let last = Promise.resolve()
  return {
    // Written one at a time, so that a slow reader slows down all feeds.
    take({ id, name }, message) {
      const line = JSON.stringify({ container_id: id, name, ...message })
      last = last.then(() => print.message(line))
      return last
    },
    leave() {},
    notice: noticesOnce(print),
    end() {},
  }
}

/** Many feeds share one connection, so its loss is reported once. */
function noticesOnce(print: Printer): Show['notice'] {
  let said = ''
  return (text) => {
    if (text && text !== said) print.note(clean(text))
    said = text
  }
}

/** Keeps the latest samples, in the order of the containers. */
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

/** Milliseconds between two redraws. */
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
  /** The first table is drawn as soon as every container has sent a sample or ended. */
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
