import { evictOldest } from '../../../functions/core/evict-oldest.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import type { ReportedStop } from '../../../functions/core/records/host-engine.ts'
import type { EngineClient } from '../transport/client.ts'
import { changesUntil, engineTime } from './event-stream.ts'
import type { EngineChange, EngineEvents } from './events.ts'

/** Containers whose last change is remembered. */
const knownMax = 4096
/** An Engine that ends gives its containers about this long to stop. Milliseconds. */
const recent = 20_000
/** The time for reading what the Engine remembers. Milliseconds. */
const historyTime = 1_000

/**
 * The last change of a container. `restart`: a start that followed an end that was no stop, as one
 * by a restart policy. `seenAt` is on the monotonic clock.
 */
interface Known {
  action: 'start' | 'restart' | 'stop' | 'die'
  /** Nanoseconds since the epoch, by the Engine's clock. */
  at: number
  seenAt: number
}

/** What events showed of containers. The methods are those of the Engine port. */
export interface SeenRuns {
  stops(): Promise<ReadonlyMap<string, ReportedStop>>
  restarted(): Promise<ReadonlySet<string>>
}

/**
 * Returns readers of the stops and restarts of containers. They learn them from the Engine's events
 * as they happen, and from the events that the Engine remembers when a connection begins.
 */
export function seenRuns(client: EngineClient, events: EngineEvents): SeenRuns {
  const known = new Map<string, Known>()
  let history: Promise<void> | undefined

  const note = ({ kind, action, id, at }: EngineChange, age: number) => {
    const last = known.get(id)
    if (kind !== 'container' || at < (last?.at ?? 0)) return
    if (action === 'destroy') known.delete(id)
    if (action !== 'start' && action !== 'stop' && action !== 'die') return
    // The history repeats events.
    if (action === 'start' && last?.action === 'restart' && last.at === at) return
    // Both are about the same end; the Engine may report them in either order.
    if (action === 'die' && last?.action === 'stop') return
    // Deleted first, so that the map stays in the order of the events.
    known.delete(id)
    const isRestart = action === 'start' && last?.action === 'die'
    const seenAt = performance.now() - age
    known.set(id, { action: isRestart ? 'restart' : action, at, seenAt })
    evictOldest(known, knownMax)
  }
  const forgetRecent = () => {
    for (const [id, { seenAt }] of known) {
      if (performance.now() - seenAt < recent) known.delete(id)
    }
  }
  events.listen((change) => {
    if (change) return note(change, 0)
    history = undefined
    if (!events.live()) forgetRecent()
  })

  async function readHistory(): Promise<void> {
    const signal = AbortSignal.timeout(historyTime)
    const now = await engineTime(client, signal)
    const changes = await changesUntil(client, now, signal)
    for (const change of changes) note(change, now - change.at / 1e6)
  }
  async function read(): Promise<ReadonlyMap<string, Known>> {
    events.live()
    history ??= readHistory().catch(ignoreError('read the past events of an Engine'))
    await history
    return known
  }
  return {
    stops: async () => stopsOf(await read()),
    restarted: async () => restartedOf(await read()),
  }
}

function stopsOf(known: ReadonlyMap<string, Known>): ReadonlyMap<string, ReportedStop> {
  const now = performance.now()
  const stops = new Map<string, ReportedStop>()
  for (const [id, { action, at, seenAt }] of known) {
    if (action === 'stop') stops.set(id, { at: at / 1e6, isRecent: now - seenAt < recent })
  }
  return stops
}

const restartedOf = (known: ReadonlyMap<string, Known>): ReadonlySet<string> =>
  new Set([...known].flatMap(([id, { action }]) => (action === 'restart' ? [id] : [])))
