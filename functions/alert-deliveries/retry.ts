import { conflict, forbidden, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { AlertDelivery, DeliveryPath, deliveryExample, showDelivery } from './schema.ts'

export default endpoint({
  summary: 'Retry a dead delivery',
  description:
    'It is sent within seconds, with the same `X-Delivery-Id`, and retried as often as a new one.',
  access: 'alerts:manage',
  path: DeliveryPath,
  returns: AlertDelivery,
  errors: {
    403: 'The alert is for a host outside your scope',
    404: 'There is no such delivery',
    409: 'The delivery is not dead',
  },
  examples: { returns: { ...deliveryExample, state: 'pending', tries: 0 } },

  async run(
    { path, caller },
    { alertDeliveries, alertChannels, hosts }: Needs<'alertDeliveries' | 'alertChannels' | 'hosts'>,
  ) {
    const found = await alertDeliveries.find(path.id)
    if (!found) throw notFound('there is no such delivery')
    const host = await hosts.find(found.event.subject.hostId)
    if (!host && caller.scopeTags.length > 0)
      throw forbidden('the host of the delivery is outside your scope')
    if (!(await alertDeliveries.retry(path.id)))
      throw conflict('the delivery is not dead: only dead deliveries can be retried')
    const channel = await alertChannels.find(found.channelId)
    return showDelivery((await alertDeliveries.find(path.id)) ?? found, channel?.name)
  },
})
