import { sameImageName } from '../../../functions/compose/reference/image-name.ts'
import { changesUntil, engineTime } from '../streams/event-stream.ts'
import type { EngineChange, EngineEvents } from '../streams/events.ts'
import type { EngineClient } from '../transport/client.ts'

/** An image that got a name: its id, or the name alone if it was pulled. */
export interface Naming {
  name: string
  id: string
}

/** Notes which images get names while BuildKit builds, which does not report what it used. */
export interface NameWatch {
  /**
   * Returns the images that got one of these names since the watch began. Returns undefined if that
   * cannot be told, because the Engine has forgotten events that did not arrive.
   */
  namings(names: Iterable<string>, signal: AbortSignal): Promise<Naming[] | undefined>
  end(): void
}

/**
 * Begins to note names. Events arrive as they happen. At the end the Engine is also asked for those
 * that it remembers: the answer has every event from before the question, which the other
 * connection may not have brought yet.
 */
export async function watchNames(client: EngineClient, events: EngineEvents): Promise<NameWatch> {
  const seen = new Map<string, Naming>()
  let misses = !events.live()
  const note = (change: EngineChange) => {
    const naming = namingOf(change)
    if (naming) seen.set(`${naming.id} ${naming.name}`, naming)
  }
  const end = events.listen((change) => {
    if (change) note(change)
    else misses = true
  })
  const from = (await engineTime(client)) * 1e6
  return {
    end,
    async namings(names, signal) {
      // The end of the current second, for which the Engine waits.
      const past = await changesUntil(client, (await engineTime(client, signal)) + 1000, signal)
      if (misses && !(past.length < rememberedMax || (past[0]?.at ?? 0) < from)) return undefined
      for (const change of past) if (change.at >= from) note(change)
      const wanted = [...names]
      return [...seen.values()].filter(({ name }) => wanted.some((one) => sameImageName(one, name)))
    },
  }
}

/** An Engine that remembers fewer events has forgotten none since its start. */
const rememberedMax = 256

function namingOf({ kind, action, id, attributes }: EngineChange): Naming | undefined {
  if (kind !== 'image') return undefined
  if (action === 'tag' && attributes.name) return { name: attributes.name, id }
  return action === 'pull' ? { name: id, id } : undefined
}
