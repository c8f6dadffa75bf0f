import type { Engine, EngineEvent } from '../engine/engine.ts'
import type { Broadcast } from '../feeds/broadcast.ts'
import type { Needs } from '../ports.ts'
import { type EventPiece, gapPiece, type Happening, pieceOf } from './happening.ts'

/** Remembered event IDs, to skip events that are read a second time. */
const rememberMax = 1024
/** A connection within this time counts as established from the start. Milliseconds. */
const openingMax = 1000

/** The host to follow and where its events go. */
export interface EngineFollowing {
  hostId: string
  engine: Engine
  out: Broadcast<EventPiece>
  /** Called once events are received. */
  heard(): void
}

/**
 * Publishes the events of a host's Engine. Events missed while the connection was down are read
 * from the Engine's own history. If that does not reach back far enough, a gap is published.
 */
export async function followEngine(
  { hostId, engine, out, heard }: EngineFollowing,
  { clock }: Needs<'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const told = new Set<string>()
  const begunAt = clock.now()
  let deafSince: number | undefined = begunAt
  const tell = (event: EngineEvent) => {
    const { id } = event
    if (told.has(id)) return
    told.add(id)
    if (told.size > rememberMax) told.delete(told.keys().next().value ?? '')
    out.publish(pieceOf(happeningOf(hostId, event)))
  }
  for await (const said of engine.events(signal)) {
    if (said === 'deaf') deafSince ??= clock.now()
    else if (said !== 'heard') tell(said)
    else if (deafSince !== undefined) {
      const from = deafSince
      deafSince = undefined
      if (from === begunAt && clock.now() - begunAt <= openingMax) heard()
      else {
        const { events, missing } = await rememberedSince(engine, from, clock.now())
        if (missing) out.publish(gapPiece({ hostId, ...missing }))
        for (const event of events) tell(event)
      }
    }
    await out.ready()
  }
}

/**
 * Returns the events in an Engine's history since an instant, and the period that the history does
 * not cover. Milliseconds since the epoch.
 */
export async function rememberedSince(engine: Engine, since: number, now: number) {
  try {
    const { oldest, events } = await engine.pastEvents()
    const found = events.filter(({ time }) => Date.parse(time) >= since)
    const to = oldest === null ? now : Date.parse(oldest)
    return { events: found, missing: to > since ? { from: since, to } : undefined }
  } catch {
    return { events: [], missing: { from: since, to: now } }
  }
}

/** Returns an Engine event as a service event. */
export function happeningOf(hostId: string, event: EngineEvent): Happening {
  const { id, time, kind, action, subject, details } = event
  return {
    id: `${hostId}-${id}`,
    time,
    source: 'docker',
    kind: `${kind}.${action}`,
    subject: { kind, ...subject },
    by: null,
    details,
    hosts: [hostId],
    userId: null,
  }
}
