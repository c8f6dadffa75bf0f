import type { Engine, EngineEvent } from '../engine/engine.ts'
import type { Broadcast } from '../feeds/broadcast.ts'
import type { Needs } from '../ports.ts'
import { type EventPiece, gapPiece, type Happening, pieceOf } from './happening.ts'

/** Ids of the last events, by which those that are read again are known. */
const rememberMax = 1024
/** Within this time a connection counts as one that was there from the beginning. Milliseconds. */
const openingMax = 1000

/** What a host's events are followed with. */
export interface EngineFollowing {
  hostId: string
  engine: Engine
  out: Broadcast<EventPiece>
  /** Called when its events are heard. */
  heard(): void
}

/**
 * The events of a host's Engine. What happened while it could not be heard is read from what the Engine remembers; what
 * it does not remember either is told as a gap.
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

/** What an Engine remembers from an instant on, and from when to when it does not. Milliseconds since the epoch. */
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

/** An event of an Engine as it is told. */
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
