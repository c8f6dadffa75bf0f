import type { EngineEvent } from '../../functions/core/engine/engine.ts'
import type { EngineClient } from './client.ts'
import { changeOf, type EngineChange, type EngineEvents, isChange } from './events.ts'
import { jsonLines } from './json-lines.ts'
import { composeLabels } from './labels.ts'

/** Events that may wait for who follows; with more he is told that he missed some. */
const waitingMax = 4096

/** The Engine's changes from its one connection, from now on. */
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

/** What the Engine remembers: it keeps some hundred events, commands of health checks among them. */
export async function pastEvents(
  client: EngineClient,
): Promise<{ oldest: string | null; events: EngineEvent[] }> {
  const ping = await client.stream({ method: 'GET', path: '/_ping' })
  ping.resume()
  // By its own clock, which may be another: to the end of this second.
  const until = String(Math.floor(Date.parse(ping.headers.date ?? '') / 1000) + 1)
  const query = { since: '0', until }
  const response = await client.stream({ method: 'GET', path: '/events', query })
  const all: EngineChange[] = []
  for await (const line of jsonLines(response)) all.push(changeOf(line))
  const oldest = all[0] ? timeOf(all[0]) : null
  return { oldest, events: all.filter(isChange).map(eventOf) }
}

/** Attributes that are told, by what they are called there. The others are labels, which may hold anything. */
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
 * Returns false for a container that was made from the ID of an image and is not labelled with that
 * ID, as docker compose and this service do: so does the builder, and its labels are the Dockerfile's.
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

/** RFC 3339 with microseconds. */
function timeOf({ at }: EngineChange): string {
  const micros = Math.floor(at / 1000)
  const date = new Date(Math.floor(micros / 1000)).toISOString()
  return date.replace('Z', `${String(micros % 1000).padStart(3, '0')}Z`)
}
