import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { AlertDelivery, deliveriesMax, deliveryExample, showDelivery } from './schema.ts'

/** The maximum number of deliveries that are read to find those of hosts in the caller's scope. */
const readMax = 1000

export default endpoint({
  summary: 'List pending and dead alert deliveries',
  description:
    '`dead`: given up after eight attempts; newest first, kept for 30 days. `pending`: waiting for the first attempt or a retry.',
  access: 'alerts:read',
  query: z.object({
    state: z
      .enum(['pending', 'dead'])
      .default('dead')
      .describe('Only deliveries in this state: to be retried, or given up'),
  }),
  returns: z.array(AlertDelivery).max(deliveriesMax),
  examples: { returns: [deliveryExample] },

  async run(
    { query, caller },
    { alertDeliveries, alertChannels, hosts }: Needs<'alertDeliveries' | 'alertChannels' | 'hosts'>,
  ) {
    const [all, channels, visible] = await Promise.all([
      alertDeliveries.list(query.state, readMax),
      alertChannels.list(),
      hosts.list(),
    ])
    const names = new Map(channels.map(({ id, name }) => [id, name]))
    const ids = new Set(visible.map(({ id }) => id))
    const everywhere = caller.scopeTags.length === 0
    const found = all.filter(({ event }) => everywhere || ids.has(event.subject.hostId))
    return capped(
      found.map((delivery) => showDelivery(delivery, names.get(delivery.channelId))),
      deliveriesMax,
    )
  },
})
