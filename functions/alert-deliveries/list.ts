import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { AlertDelivery as Kept } from '../core/records/alert-delivery.ts'
import { endpoint } from '../kit/endpoint.ts'
import { nextHeader } from '../kit/params.ts'
import { capped, cutAt } from '../kit/reply.ts'
import {
  AlertDelivery,
  DeliveryPath,
  deliveriesMax,
  deliveryExample,
  showDelivery,
} from './schema.ts'

/** The maximum number of deliveries that are read to find those of hosts in the caller's scope. */
const readMax = 1000

export default endpoint({
  summary: 'List pending and dead alert deliveries',
  description:
    '`dead`: given up after eight attempts; newest first, kept for 30 days. `pending`: waiting for the first attempt or a retry, the next one first. ' +
    'Delivered ones are not listed: `GET /alert-deliveries/{id}` shows one for seven days, and `GET /alert-events` lists what was to be delivered.',
  access: 'alerts:read',
  query: z.object({
    state: z
      .enum(['pending', 'dead'])
      .default('dead')
      .describe('Only deliveries in this state: to be retried, or given up'),
    before: DeliveryPath.shape.id
      .optional()
      .describe(
        'Only dead deliveries that were given up before the one with this id, which must still be dead. Where a list was cut, `Link` has it',
      ),
  }),
  returns: z.array(AlertDelivery).max(deliveriesMax),
  responseHeaders: nextHeader,
  errors: { 400: '`before` names no dead delivery, or another parameter is invalid' },
  examples: { returns: [deliveryExample] },

  async run({ query, caller }, ports: Needs<'alertDeliveries' | 'alertChannels' | 'hosts'>) {
    const { alertDeliveries, alertChannels, hosts } = ports
    const before = await placeOf(query, ports)
    const [all, channels, visible] = await Promise.all([
      alertDeliveries.list(query.state, readMax, before),
      alertChannels.list(),
      hosts.list(),
    ])
    const names = new Map(channels.map(({ id, name }) => [id, name]))
    const ids = new Set(visible.map(({ id }) => id))
    const everywhere = caller.scopeTags.length === 0
    const found = all.filter(({ event }) => everywhere || ids.has(event.subject.hostId))
    const shown = found.map((delivery) => showDelivery(delivery, names.get(delivery.channelId)))
    const last = found.length > deliveriesMax ? found[deliveriesMax - 1] : all[readMax - 1]
    if (query.state === 'pending' || !last) return capped(shown, deliveriesMax)
    return cutAt(shown.slice(0, deliveriesMax), last.id)
  },
})

/** @throws 400 if `before` names no dead delivery */
async function placeOf(
  { before, state }: { before?: string | undefined; state: string },
  { alertDeliveries }: Needs<'alertDeliveries'>,
): Promise<Kept | undefined> {
  if (before === undefined) return undefined
  if (state !== 'dead') throw invalid('query.before: is used only with state=dead')
  const found = await alertDeliveries.find(before)
  if (found?.state === 'dead') return found
  throw invalid('query.before: no dead delivery has this id any more: read the list from its start')
}
