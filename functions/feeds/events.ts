import { getHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports.ts'
import { feed } from '../kit/feed.ts'
import { instantOf } from '../kit/params.ts'
import { EventMessage, EventQuery } from './schema.ts'

export default feed({
  summary: 'Follow what happens',
  description:
    'What the Engines of all hosts in your scope tell, and what is done in the service: changes, deployments and their ' +
    'steps, alerts, logins, agents that come and go. You are told of what you may read: of accounts, logins, tokens and settings with ' +
    '`audit:read`. What cannot be told any more has a message `gap`.',
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
