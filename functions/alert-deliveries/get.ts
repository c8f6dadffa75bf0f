import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { getDelivery } from './get-delivery.ts'
import { AlertDelivery, DeliveryPath, deliveryExample, showDelivery } from './schema.ts'

export default endpoint({
  summary: 'Show an alert delivery',
  description: 'Also one that was delivered, for seven days.',
  access: 'alerts:read',
  path: DeliveryPath,
  returns: AlertDelivery,
  errors: {
    403: 'The alert is for a host outside your scope',
    404: 'There is no such delivery',
  },
  examples: { returns: deliveryExample },

  async run({ path, caller }, ports: Needs<'alertDeliveries' | 'alertChannels' | 'hosts'>) {
    const found = await getDelivery(path.id, caller, ports)
    const channel = await ports.alertChannels.find(found.channelId)
    return showDelivery(found, channel?.name)
  },
})
