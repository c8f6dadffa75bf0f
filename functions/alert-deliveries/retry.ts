import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { getDelivery } from './get-delivery.ts'
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

  async run({ path, caller }, ports: Needs<'alertDeliveries' | 'alertChannels' | 'hosts'>) {
    const { alertDeliveries, alertChannels } = ports
    const found = await getDelivery(path.id, caller, ports)
    if (!(await alertDeliveries.retry(path.id)))
      throw conflict('the delivery is not dead: only dead deliveries can be retried')
    const channel = await alertChannels.find(found.channelId)
    return showDelivery((await alertDeliveries.find(path.id)) ?? found, channel?.name)
  },
})
