import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ContainerSummary } from '../records/container.ts'
import { isAmong } from '../stacks/logs.ts'
import { merge } from '../streams/merge.ts'
import type { EncodedText } from '../streams/message.ts'
import { type JoinedLog, joinLog } from './follow-log.ts'
import { LogChunk, lineSize, type Origin } from './log-chunk.ts'

/**
 * The time between two checks for new containers of a stack (milliseconds), and the number of those
 * between two checks of the stack itself.
 */
const lookEvery = 500
const looksPerStack = 10
/**
 * The number of past lines to read of a container that appears later: practically its whole log.
 */
const wholeTail = 10_000

/** A request for the merged log of a stack. */
export interface StackLogRequest {
  engine: Engine
  hostId: string
  stack: string
  /** Only these services; without it all. */
  service?: readonly string[]
  tail: number
  since?: string
  follow: boolean
}

type LogPorts = Needs<'streams' | 'clock' | 'stacks'>

/**
 * Yields past lines of all containers of a stack ordered by time, then new lines. Containers that
 * appear later, such as those that a deploy recreates, are followed too. Ends when the stack is
 * deleted.
 */
export async function* stackLog(
  wish: StackLogRequest,
  ports: LogPorts,
  signal: AbortSignal,
): AsyncGenerator<EncodedText, void, void> {
  const { engine, tail, since, follow } = wish
  const own = await containersOf(wish)
  if (!follow) {
    const read = async (one: ContainerSummary) => ({
      origin: originOf(one),
      past: await engine.logs(one.id, { tail, since }),
    })
    yield* pastOf(await Promise.all(own.map(read)))
    return
  }
  const stop = new AbortController()
  const stopped = () => stop.abort()
  signal.addEventListener('abort', stopped, { once: true })
  try {
    const join = async (one: ContainerSummary) => {
      const origin = originOf(one)
      const all = { ...wish, id: one.id, key: `log ${wish.hostId} ${one.id}` }
      return { origin, ...(await joinLog(all, ports, stop.signal)) }
    }
    const joined = await Promise.all(own.map(join))
    yield* pastOf(joined)
    const lives = merge<EncodedText>(stop.signal)
    const follower = followContainers(wish, joined, lives, ports, stop.signal)
    follower.then(lives.close, () => stop.abort())
    yield* lives
    await follower
  } finally {
    signal.removeEventListener('abort', stopped)
    stop.abort()
  }
}

type Joined = JoinedLog & { origin: Origin }

/** Adds the lines of its containers to the merged log until the stack is deleted. */
async function followContainers(
  wish: StackLogRequest,
  joined: Joined[],
  lives: { add(source: AsyncIterable<EncodedText>): void },
  ports: LogPorts,
  signal: AbortSignal,
): Promise<void> {
  /** Container → the time of its last line; undefined while it is followed. */
  const known = new Map<string, string | undefined>()
  const add = ({ origin, past, live }: Joined) => {
    known.set(origin.container_id, undefined)
    const last = past.at(-1)?.time ?? ''
    lives.add(placed(origin, live, last, (time) => known.set(origin.container_id, time)))
  }
  for (const one of joined) add(one)
  for (let look = 1; !signal.aborted; look += 1) {
    await ports.clock.sleep(lookEvery, signal)
    if (look % looksPerStack === 0 && !(await ports.stacks.find(wish.stack))) return
    for (const one of await containersOf(wish)) {
      const last = known.get(one.id)
      const isNew = !known.has(one.id)
      if (!isNew && (last === undefined || one.state !== 'running')) continue
      const key = `log ${wish.hostId} ${one.id}`
      const more = { tail: wholeTail, since: last || undefined, id: one.id, key }
      const joined = await joinLog({ ...wish, ...more }, ports, signal)
      add({ origin: originOf(one), past: joined.past, live: after(joined) })
    }
  }
}

/** Yields the past lines, then the live ones. */
async function* after({ past, live }: JoinedLog): AsyncGenerator<LogChunk, void, void> {
  for (const line of past) yield new LogChunk([line], lineSize(line))
  yield* live
}

/** Yields the messages of a container. `ended` is called with the time of its last line. */
async function* placed(
  origin: Origin,
  live: JoinedLog['live'],
  past: string,
  ended: (last: string) => void,
) {
  let last = past
  for await (const piece of live) {
    last = piece.lines.at(-1)?.time ?? last
    yield piece.placed(origin)
  }
  ended(last)
}

/** Yields past lines of several containers ordered by time, one message per line. */
function* pastOf(logs: Pick<Joined, 'origin' | 'past'>[]): Generator<EncodedText> {
  const lines = logs.flatMap(({ origin, past }) => past.map((line) => ({ origin, line })))
  lines.sort((one, other) => (one.line.time < other.line.time ? -1 : 1))
  for (const { origin, line } of lines) {
    yield new LogChunk([line], lineSize(line)).placed(origin)
  }
}

const originOf = ({ service, id }: ContainerSummary): Origin => ({
  service: service ?? '',
  container_id: id,
})

async function containersOf({ engine, stack, service }: StackLogRequest) {
  const all = await engine.containers({ all: true })
  return all.filter((one) => one.stack === stack && isAmong(one, service))
}
