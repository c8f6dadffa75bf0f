import type { HostNames } from '../hosts/host-names.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { EncodedEvent, ServiceEvent } from '../ports/service-events.ts'
import type { EngineEvent } from '../records/host-engine.ts'
import type { Broadcast } from '../streams/broadcast.ts'
import { encodeEvent, encodeGap } from './service-event.ts'

/** Remembered event IDs, to skip events that are read a second time. */
const publishedMax = 1024
/** A connection within this time counts as established from the start. Milliseconds. */
const openingMax = 1000

/** The host to follow and where its events go. */
export interface FollowedEngine {
  hostId: string
  engine: Engine
  out: Broadcast<EncodedEvent>
  nameOf: HostNames
  /** Called once events are received from the start on. */
  onConnect(): void
}

/**
 * Publishes the events of a host's Engine. Events missed while the connection was down are read
 * from the Engine's own history. If that does not reach back far enough, a gap is published.
 */
export async function followEngine(
  { hostId, engine, out, nameOf, onConnect }: FollowedEngine,
  { clock }: Needs<'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const published = new Set<string>()
  const startedAt = clock.now()
  let disconnectedAt: number | undefined = startedAt
  const publish = (event: EngineEvent) => {
    const { id } = event
    if (published.has(id)) return
    published.add(id)
    if (published.size > publishedMax) published.delete(published.keys().next().value ?? '')
    out.publish(encodeEvent(fromEngineEvent(hostId, event), nameOf))
  }
  for await (const signalOrEvent of engine.events(signal)) {
    if (signalOrEvent === 'disconnected') disconnectedAt ??= clock.now()
    else if (signalOrEvent !== 'connected') publish(signalOrEvent)
    else if (disconnectedAt !== undefined) {
      const from = disconnectedAt
      disconnectedAt = undefined
      if (from === startedAt && clock.now() - startedAt <= openingMax) onConnect()
      else {
        const { events, missing } = await historySince(engine, from, clock.now())
        if (missing) out.publish(encodeGap({ hostId, ...missing }, nameOf))
        for (const event of events) publish(event)
      }
    }
    await out.ready()
  }
}

/**
 * Returns the events in an Engine's history since an instant, and the period that the history does
 * not cover. Milliseconds since the epoch.
 */
export async function historySince(engine: Engine, since: number, now: number) {
  try {
    const { oldest, events } = await engine.pastEvents()
    const found = events.filter(({ time }) => Date.parse(time) >= since)
    const to = oldest === null ? now : Date.parse(oldest)
    return { events: found, missing: to > since ? { from: since, to } : undefined }
  } catch (error) {
    ignoreFailure('read the past events of a host')(error)
    return { events: [], missing: { from: since, to: now } }
  }
}

/** Returns an Engine event as a service event. */
export function fromEngineEvent(hostId: string, event: EngineEvent): ServiceEvent {
  const { id, time, kind, subject, details } = event
  return {
    id: `${hostId}-${id}`,
    time,
    source: 'docker',
    kind,
    subject,
    by: null,
    details,
    hosts: [hostId],
    userId: null,
  }
}
