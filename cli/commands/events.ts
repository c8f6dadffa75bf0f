import type { Client } from '../client.ts'
import { type Call, command } from '../command.ts'
import { followFeed, parseMessage } from '../follow-feed.ts'
import { epochOf, sinceQuery } from '../log-flags.ts'
import type { EventMessage } from '../records.ts'
import { clean } from '../text.ts'
import { moment } from '../units.ts'
import { written } from '../written.ts'

const ownFlags = {
  '--since <time>':
    'Also past events since this time: RFC 3339, seconds since the epoch, or a duration such as 10m or 2h',
} as const

export default command({
  flags: ownFlags,
  details:
    '\nPrints the events of the hosts and the service as they happen, until interrupted. Lost events are shown as a gap.',
  examples: ['cli events --since 10m'],
  run: events,
})

/** Number of event ids that are kept to skip events repeated after a reconnect. */
const rememberMax = 4096
/** Events of different sources may arrive out of order by this much. Milliseconds. */
const overlap = 5000

async function events({ flags, client, print, io }: Call<'', typeof ownFlags>) {
  const { host } = flags
  const service = await client()
  const told = new Set<string>()
  const asked = sinceQuery(flags.since, Date.now())
  let latest = -Infinity
  /** When following started. Earlier events are not shown after a reconnect either. */
  let from: number | undefined
  const feed: Client['feed'] = async (...request) => {
    const opened = await service.feed(...request)
    from ??= asked === undefined ? opened.openedAt : epochOf(asked)
    return opened
  }
  const query = () => ({
    host,
    since: from === undefined ? asked : new Date(Math.max(from, latest - overlap)).toISOString(),
  })
  for await (const text of followFeed({ feed }, '/ws/events', query, print)) {
    const message = parseMessage<EventMessage>(text)
    if ('id' in message) {
      if (told.has(message.id)) continue
      told.add(message.id)
      if (told.size > rememberMax) told.delete(told.keys().next().value ?? '')
      latest = Math.max(latest, Date.parse(message.time))
    }
    await written(io.stdout, `${print.format === 'json' ? text : lineOf(message)}\n`)
  }
}

function lineOf(message: EventMessage): string {
  if ('gap' in message) {
    const { host_id, from, to } = message.gap
    const where = host_id === null ? 'the service' : host_id
    return clean(`${moment(to)}  ${where}  gap: events since ${moment(from)} were lost`)
  }
  const { time, host_id, kind, subject, by, details } = message
  const what = subject && `${subject.kind}/${subject.name ?? subject.id}`
  const more = Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${value}`)
  const parts = [moment(time), host_id ?? '-', kind, what ?? '-', by ?? '-', more.join(' ')]
  return clean(parts.join('  ').trimEnd())
}
