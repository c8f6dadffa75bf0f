import { targetHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports/ports.ts'
import { feed } from '../kit/feed.ts'
import { instantOf } from '../kit/params.ts'
import { EventMessage, EventQuery } from './schema.ts'

export default feed({
  summary: 'Follow events',
  description:
    'Streams the events of the Engines of all hosts in your scope and those of the service: changes, deployments and their ' +
    'steps, alerts, logins, agents that connect and disconnect. You receive only what you may read: accounts, logins, tokens and settings need ' +
    '`audit:read`, and a backup all that its run needs. A `gap` message stands for events that were lost. ' +
    'With `caught_up=true`, a message says when all past events were sent. With `heartbeat=true`, one is sent every 30 s.',
  access: 'signed-in',
  query: EventQuery,
  sends: EventMessage,
  errors: { 404: 'No host has that id or name' },

  // biome-ignore lint/correctness/useYield: the feed opens without a message of its own
  async *run({ query, caller }, ports: Needs<'hosts' | 'serviceEvents'>) {
    const isOne = query.host !== undefined && query.host !== 'all'
    const host = isOne ? (await targetHost(query.host, caller, ports)).id : undefined
    const since = query.since === undefined ? undefined : instantOf(query.since)
    return ports.serviceEvents.follow(caller, {
      host,
      since,
      marksPast: query.caught_up,
      beats: query.heartbeat,
    })
  },
})
