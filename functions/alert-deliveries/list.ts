import { z } from 'zod'
import { Failure, invalid } from '../core/errors.ts'
import type { DeliveryPlace } from '../core/ports/alert-deliveries.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import { endpoint } from '../kit/endpoint.ts'
import { nextHeader } from '../kit/params.ts'
import { capped, cutAt } from '../kit/reply.ts'
import { getDelivery } from './get-delivery.ts'
import { AlertDelivery, deliveriesMax, deliveryExample, showDelivery } from './schema.ts'

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
    before: z
      .string()
      .regex(
        /^(\d{1,15}~)?[\w.-]{1,160}$/,
        'must be the `before` of a `Link`, or the id of a delivery',
      )
      .optional()
      .describe(
        'Only dead deliveries that were given up before this place, which `Link` has where a list was cut. The id of a delivery that is still dead is one, too',
      ),
  }),
  returns: z.array(AlertDelivery).max(deliveriesMax),
  responseHeaders: nextHeader,
  errors: { 400: '`before` names no dead delivery, or another parameter is invalid' },
  examples: { returns: [deliveryExample] },

  async run({ query, caller }, ports: Needs<'alertDeliveries' | 'alertChannels' | 'hosts'>) {
    const { alertDeliveries, alertChannels, hosts } = ports
    const before = await placeOf(query, caller, ports)
    const [{ deliveries, next }, channels, visible] = await Promise.all([
      alertDeliveries.list(query.state, readMax, before),
      alertChannels.list(),
      hosts.list(),
    ])
    const names = new Map(channels.map(({ id, name }) => [id, name]))
    const ids = new Set(visible.map(({ id }) => id))
    const everywhere = caller.scopeTags.length === 0
    const found = deliveries.filter(({ event }) => everywhere || ids.has(event.subject.hostId))
    const shown = found.map((delivery) => showDelivery(delivery, names.get(delivery.channelId)))
    const last = found.length > deliveriesMax ? found[deliveriesMax - 1] : next
    if (query.state === 'pending' || !last) return capped(shown, deliveriesMax)
    return cutAt(shown.slice(0, deliveriesMax), `${last.at}~${last.id}`)
  },
})

/**
 * Returns the place that `before` names: `<time>~<id>`, or the id of a dead delivery.
 *
 * @throws 400 if there is no dead delivery with this id in the caller's scope
 */
async function placeOf(
  { before, state }: { before?: string | undefined; state: string },
  caller: Caller,
  ports: Needs<'alertDeliveries' | 'hosts'>,
): Promise<DeliveryPlace | undefined> {
  if (before === undefined) return undefined
  if (state !== 'dead') throw invalid('query.before: is used only with state=dead')
  const [time, id] = before.split('~')
  if (id !== undefined) return { id, at: Number(time) }
  const found = await getDelivery(before, caller, ports).catch(ignoreRefusal)
  if (found?.state === 'dead') return found
  throw invalid('query.before: no dead delivery has this id any more: read the list from its start')
}

/** A delivery outside the scope is as one that does not exist. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof Failure && [403, 404].includes(error.status))) throw error
}
