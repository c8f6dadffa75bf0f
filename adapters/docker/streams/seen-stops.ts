import { evictOldest } from '../../../functions/core/evict-oldest.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import type { ReportedStop } from '../../../functions/core/records/host-engine.ts'
import type { EngineClient } from '../transport/client.ts'
import { changesUntil, engineTime } from './event-stream.ts'
import type { EngineChange, EngineEvents } from './events.ts'

/** Containers whose last start or stop is remembered. */
const knownMax = 4096
/** An Engine that ends gives its containers about this long to stop. Milliseconds. */
const recent = 20_000
/** The time for reading what the Engine remembers. Milliseconds. */
const historyTime = 1_000

/** The last start or stop of a container. `seenAt` is on the monotonic clock. */
interface Known {
  action: 'start' | 'stop'
  /** Nanoseconds since the epoch, by the Engine's clock. */
  at: number
  seenAt: number
}

/**
 * Returns a reader of the stops of containers. It learns them from the Engine's events as they
 * happen, and from the events that the Engine remembers when a connection begins.
 */
export function seenStops(
  client: EngineClient,
  events: EngineEvents,
): () => Promise<ReadonlyMap<string, ReportedStop>> {
  const known = new Map<string, Known>()
  let history: Promise<void> | undefined

  const note = ({ kind, action, id, at }: EngineChange, age: number) => {
    if (kind !== 'container' || at < (known.get(id)?.at ?? 0)) return
    if (action === 'destroy') known.delete(id)
    if (action !== 'start' && action !== 'stop') return
    // Deleted first, so that the map stays in the order of the events.
    known.delete(id)
    known.set(id, { action, at, seenAt: performance.now() - age })
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
  return async () => {
    events.live()
    history ??= readHistory().catch(ignoreError('read the past events of an Engine'))
    await history
    return stopsOf(known)
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
