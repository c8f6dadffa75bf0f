import type { EngineEvent } from '../../functions/core/engine/engine.ts'
import type { EngineClient } from './client.ts'
import { changeOf, type EngineChange, type EngineEvents, isChange } from './events.ts'
import { jsonLines } from './json-lines.ts'
import { composeLabels } from './labels.ts'

/**
 * Events queued for a subscriber. If there are more, they are dropped and the subscriber gets
 * `deaf`.
 */
const waitingMax = 4096

/** Yields the Engine's changes from now on, over its shared event connection. */
export async function* followEvents(
  events: EngineEvents,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent | 'heard' | 'deaf', void, void> {
  let waiting: (EngineEvent | 'heard' | 'deaf')[] = []
  let wake = () => {}
  const deafen = events.listen((change) => {
    waiting.push(change ? eventOf(change) : events.live() ? 'heard' : 'deaf')
    if (waiting.length > waitingMax)
      waiting = ['deaf', ...(events.live() ? (['heard'] as const) : [])]
    wake()
  })
  const stop = () => wake()
  signal.addEventListener('abort', stop)
  try {
    if (events.live()) yield 'heard'
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
    deafen()
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
  const ping = await client.stream({ method: 'GET', path: '/_ping' })
  ping.resume()
  // The end of the current second on the Engine's clock, which may differ from ours.
  const until = String(Math.floor(Date.parse(ping.headers.date ?? '') / 1000) + 1)
  const query = { since: '0', until }
  const response = await client.stream({ method: 'GET', path: '/events', query })
  const all: EngineChange[] = []
  for await (const line of jsonLines(response)) all.push(changeOf(line))
  const oldest = all[0] ? timeOf(all[0]) : null
  return { oldest, events: all.filter(isChange).map(eventOf) }
}

/**
 * Attributes to report, with their names in the API. The others are labels with arbitrary content.
 */
const told: Record<string, string> = {
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

function eventOf(change: EngineChange): EngineEvent {
  const { kind, id, at, attributes } = change
  const [action = '', health] = change.action.split(': ')
  const details: EngineEvent['details'] = {}
  const own = isOwnLabelled(attributes)
  for (const [name, shown] of Object.entries(told)) {
    const value = attributes[name]
    if (value && (own || !name.startsWith('com.docker.compose.')))
      details[shown] = shown === 'exit_code' ? Number(value) : value
  }
  if (health) details.health = health
  const name = attributes.name ?? (kind === 'volume' ? id : null)
  return {
    id: `${at}-${action}-${id.slice(0, 80)}${attributes.container?.slice(0, 12) ?? ''}`,
    time: timeOf(change),
    ...{ kind, action, subject: { id, name }, details },
  }
}

/** Returns RFC 3339 with microseconds. */
function timeOf({ at }: EngineChange): string {
  const micros = Math.floor(at / 1000)
  const date = new Date(Math.floor(micros / 1000)).toISOString()
  return date.replace('Z', `${String(micros % 1000).padStart(3, '0')}Z`)
}
