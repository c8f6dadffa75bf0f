import { requireEveryHost } from '../core/access/grant.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { removeMatching } from '../kit/entity-tag.ts'
import { ChannelPath } from './schema.ts'

export default endpoint({
  summary: 'Delete an alert channel',
  description: 'Drops the deliveries that are still pending.',
  access: 'alerts:manage',
  takesIfMatch: true,
  path: ChannelPath,
  errors: { 403: 'Your credential is limited to some hosts', 404: 'There is no such channel' },

  async run(
    { path, caller, ifMatch },
    { alertChannels, alertDeliveries }: Needs<'alertChannels' | 'alertDeliveries'>,
  ) {
    requireEveryHost(caller, 'alert channels')
    const channel = await alertChannels.find(path.id)
    if (!channel) throw notFound('there is no such channel')
    ifMatch.check(channel.revision)
    if (!(await removeMatching(channel, alertChannels, ifMatch)))
      throw notFound('there is no such channel')
    await alertDeliveries.dropChannel(path.id)
    return undefined
  },
})
