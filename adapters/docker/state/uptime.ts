import { onRejection } from '../../../functions/core/promises.ts'
import type { EngineUptime } from '../../../functions/core/records/host-engine.ts'
import { engineTime } from '../streams/event-stream.ts'
import type { EngineEvents } from '../streams/events.ts'
import type { EngineClient } from '../transport/client.ts'
import type { EngineLists } from './lists.ts'

/** The Engine creates this network each time that it starts. */
const defaultNetwork = 'bridge'

/** The start of an Engine, its time at a reading, and that reading on the monotonic clock. */
interface Reading {
  startedAt: number
  now: number
  at: number
}

/**
 * Returns a reader of the time since when an Engine runs. The Engine does not say so itself. Its
 * default network shows it, unless its configuration leaves that network out or containers outlive
 * the Engine (`live-restore`).
 */
export function engineUptime(
  client: EngineClient,
  events: EngineEvents,
  lists: Pick<EngineLists, 'networks'>,
): () => Promise<EngineUptime | null> {
  let kept: Promise<Reading | null> | undefined
  // A connection that was lost can be an Engine that was restarted.
  events.listen((change) => {
    if (!change) kept = undefined
  })

  async function read(): Promise<Reading | null> {
    const network = (await lists.networks()).find(
      ({ name, driver }) => name === defaultNetwork && driver === 'bridge',
    )
    const startedAt = Date.parse(network?.createdAt ?? '')
    const now = await engineTime(client)
    return Number.isNaN(startedAt) || Number.isNaN(now)
      ? null
      : { startedAt, now, at: performance.now() }
  }

  return async () => {
    const reading = kept ?? read()
    if (events.live()) {
      kept = reading
      onRejection(reading, () => {
        if (kept === reading) kept = undefined
      })
    }
    const known = await reading
    if (!known) return null
    const { startedAt, now, at } = known
    const age = now - startedAt + performance.now() - at
    // `now` has whole seconds. Further back, the clock of the host was changed.
    return age < -1000 ? null : { startedAt, age: Math.max(0, age) }
  }
}
