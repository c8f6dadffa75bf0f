import { getHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports.ts'
import { feed } from '../kit/feed.ts'
import { instantOf } from '../kit/params.ts'
import { EventMessage, EventQuery } from './schema.ts'

export default feed({
  summary: 'Follow events',
  description:
    'Streams the events of the Engines of all hosts in your scope and those of the service: changes, deployments and their ' +
    'steps, alerts, logins, agents that connect and disconnect. You receive only what you may read: accounts, logins, tokens and settings need ' +
    '`audit:read`. A `gap` message stands for events that were lost.',
  access: 'signed-in',
  query: EventQuery,
  sends: EventMessage,
  fails: { 404: 'No host has that id' },

  // biome-ignore lint/correctness/useYield: the feed opens without a message of its own
  async *run({ query, caller }, ports: Needs<'hosts' | 'happenings'>) {
    const host = query.host === 'all' ? undefined : query.host
    if (host !== undefined) await getHost(host, ports)
    const since = query.since === undefined ? undefined : instantOf(query.since)
    return ports.happenings.follow(caller, { host, since })
  },
})
