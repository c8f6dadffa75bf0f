import type { Feed } from '../api/feed.ts'
import type { EventMessage } from '../api/types.ts'
import { type Call, command } from '../command.ts'
import { epochOf, sinceQuery } from '../flags/log-flags.ts'
import { followFeed } from '../follow/reconnecting-feed.ts'
import { clean } from '../output/text.ts'
import { moment } from '../output/units.ts'
import { writeWithBackpressure } from '../output/write-with-backpressure.ts'
import { hostFor, hostNames } from '../resolve/host.ts'

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

/** Event ids to remember, so that events repeated after a reconnect are skipped. */
const rememberMax = 4096
/** Events of different sources may arrive out of order by this much. Milliseconds. */
const overlap = 5000

async function events({ flags, client, print, io }: Call<'', typeof ownFlags>) {
  const requested = sinceQuery(flags.since, Date.now())
  const service = await client()
  const host = await hostFor(service, flags.host)
  const nameOf = await hostNames(service, print)
  const shownIds = new Set<string>()
  let latest = -Infinity
  /** When following started. Earlier events are not shown after a reconnect either. */
  let from: number | undefined
  const connected = ({ openedAt }: Feed) => {
    from ??= requested === undefined ? openedAt : epochOf(requested)
  }
  const request = () => {
    const since =
      from === undefined ? requested : new Date(Math.max(from, latest - overlap)).toISOString()
    return { query: { host, since } }
  }
  const feed = followFeed(service, '/ws/events', request, { print, connected })
  for await (const { text, message } of feed) {
    if ('caught_up' in message || 'heartbeat' in message) continue
    if ('id' in message) {
      if (shownIds.has(message.id)) continue
      shownIds.add(message.id)
      if (shownIds.size > rememberMax) shownIds.delete(shownIds.keys().next().value ?? '')
      latest = Math.max(latest, Date.parse(message.time))
    }
    if (print.format === 'json') await print.message(text)
    else await writeWithBackpressure(io.stdout, `${lineOf(message, nameOf)}\n`)
  }
}

type Shown = Exclude<EventMessage, { caught_up: string } | { heartbeat: string }>

function lineOf(message: Shown, nameOf: (id: string) => string): string {
  if ('gap' in message) {
    const { host_id, from, to } = message.gap
    const where = host_id === null ? 'the service' : nameOf(host_id)
    return clean(`${moment(to)}  ${where}  gap: events since ${moment(from)} were lost`)
  }
  const { time, host_id, kind, subject, by, details } = message
  const what = subject && `${subject.kind}/${subject.name ?? subject.id}`
  const more = Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${value}`)
  const place = host_id === null ? '-' : nameOf(host_id)
  const parts = [moment(time), place, kind, what ?? '-', by ?? '-', more.join(' ')]
  return clean(parts.join('  ').trimEnd())
}
