import { requireEveryHost } from '../core/access/grant.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { ChannelPath } from './schema.ts'

export default endpoint({
  summary: 'Delete an alert channel',
  description: 'Drops the deliveries that are still pending.',
  access: 'alerts:manage',
  path: ChannelPath,
  errors: { 403: 'Your credential is limited to some hosts', 404: 'There is no such channel' },

  async run(
    { path, caller },
    { alertChannels, alertDeliveries }: Needs<'alertChannels' | 'alertDeliveries'>,
  ) {
    requireEveryHost(caller, 'alert channels')
    if (!(await alertChannels.remove(path.id))) throw notFound('there is no such channel')
    await alertDeliveries.dropChannel(path.id)
    return undefined
  },
})
