import type { EngineEvent } from '../../../functions/core/records/host-engine.ts'
import { composeLabels } from '../names/labels.ts'
import { jsonLines } from '../responses/json-lines.ts'
import type { EngineClient } from '../transport/client.ts'
import {
  changeOf,
  type EngineChange,
  type EngineEvents,
  type EventLine,
  eventKindOf,
} from './events.ts'

/**
 * Events queued for a subscriber. If there are more, they are dropped and the subscriber gets
 * `disconnected`.
 */
const waitingMax = 4096

/** Yields the Engine's changes from now on, over its shared event connection. */
export async function* followEvents(
  events: EngineEvents,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent | 'connected' | 'disconnected', void, void> {
  let waiting: (EngineEvent | 'connected' | 'disconnected')[] = []
  let wake = () => {}
  const unlisten = events.listen((change) => {
    const next = change ? eventOf(change) : events.live() ? 'connected' : 'disconnected'
    if (!next) return
    waiting.push(next)
    if (waiting.length > waitingMax)
      waiting = ['disconnected', ...(events.live() ? (['connected'] as const) : [])]
    wake()
  })
  const stop = () => wake()
  signal.addEventListener('abort', stop)
  try {
    if (events.live()) yield 'connected'
    while (!signal.aborted) {
      const next = waiting.shift()
      if (next) yield next
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    unlisten()
    signal.removeEventListener('abort', stop)
  }
}

/**
 * Returns the Engine's past events. It keeps a few hundred, including the commands of health
 * checks.
 */
export async function pastEvents(
  client: EngineClient,
): Promise<{ oldest: string | null; events: EngineEvent[] }> {
  // The end of the current second, for which the Engine waits.
  const all = await changesUntil(client, (await engineTime(client)) + 1000)
  const oldest = all[0] ? timeOf(all[0]) : null
  return { oldest, events: all.flatMap((change) => eventOf(change) ?? []) }
}

/** The maximum number of past events to read. An Engine remembers 256. */
const pastMax = 4096

/**
 * Returns the changes that the Engine remembers from before an instant.
 *
 * @param until milliseconds since the epoch, in whole seconds
 */
export async function changesUntil(
  client: EngineClient,
  until: number,
  signal?: AbortSignal,
): Promise<EngineChange[]> {
  const query = { since: '0', until: String(until / 1000) }
  const response = await client.stream({ method: 'GET', path: '/events', query, signal })
  const all: EngineChange[] = []
  for await (const line of jsonLines<EventLine>(response)) {
    if (all.push(changeOf(line)) >= pastMax) break
  }
  return all
}

/**
 * Returns the time on the Engine's clock, which may differ from ours, in whole seconds.
 * Milliseconds since the epoch.
 */
export async function engineTime(client: EngineClient, signal?: AbortSignal): Promise<number> {
  const ping = await client.stream({ method: 'GET', path: '/_ping', signal })
  ping.resume()
  return Math.floor(Date.parse(ping.headers.date ?? '') / 1000) * 1000
}

/**
 * Attributes to report, with their names in the API. The others are labels with arbitrary content.
 */
const reportedAttributes: Record<string, string> = {
  image: 'image',
  exitCode: 'exit_code',
  signal: 'signal',
  oldName: 'old_name',
  container: 'container',
  driver: 'driver',
  type: 'type',
  destination: 'destination',
  'com.docker.compose.project': 'stack',
  'com.docker.compose.service': 'service',
}

/**
 * Returns false for a container that was created from an image id without having that id as a
 * label. Docker compose and this service set that label. The builder does not, and the labels of
 * its containers come from the Dockerfile.
 */
const isOwnLabelled = ({ image, ...labels }: EngineChange['attributes']): boolean =>
  !image || !/^sha256:[0-9a-f]{64}$/.test(image) || labels[composeLabels.image] === image

/** Returns the event of a change, or undefined if it is none that is reported. */
function eventOf(change: EngineChange): EngineEvent | undefined {
  const { kind: subject, id, at, attributes } = change
  const kind = eventKindOf(change)
  if (!kind) return undefined
  const [action = '', health] = change.action.split(': ')
  const details: EngineEvent['details'] = {}
  const own = isOwnLabelled(attributes)
  for (const [name, shown] of Object.entries(reportedAttributes)) {
    const value = attributes[name]
    if (value && (own || !name.startsWith('com.docker.compose.')))
      details[shown] = shown === 'exit_code' ? Number(value) : value
  }
  if (health) details.health = health
  const name = attributes.name ?? (subject === 'volume' ? id : null)
  return {
    id: `${at}-${action}-${id.slice(0, 80)}${attributes.container?.slice(0, 12) ?? ''}`,
    time: timeOf(change),
    kind,
    subject: { kind: subject, id, name },
    details,
  }
}

/** Returns RFC 3339 with microseconds. */
function timeOf({ at }: EngineChange): string {
  const micros = Math.floor(at / 1000)
  const date = new Date(Math.floor(micros / 1000)).toISOString()
  return date.replace('Z', `${String(micros % 1000).padStart(3, '0')}Z`)
}
