import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { AlertChannel, ChannelPath, channelExample, deadCounted, showChannel } from './schema.ts'

export default endpoint({
  summary: 'Show an alert channel',
  description: 'Never returns the values of the fields that `secrets` names.',
  access: 'alerts:read',
  path: ChannelPath,
  returns: AlertChannel,
  errors: { 404: 'There is no such channel' },
  examples: { returns: channelExample },

  async run(
    { path },
    { alertChannels, alertDeliveries }: Needs<'alertChannels' | 'alertDeliveries'>,
  ) {
    const [channel, last, { deliveries: dead }] = await Promise.all([
      alertChannels.find(path.id),
      alertDeliveries.last(),
      alertDeliveries.list('dead', deadCounted),
    ])
    if (!channel) throw notFound('there is no such channel')
    const own = dead.filter(({ channelId }) => channelId === channel.id)
    const shown = showChannel(channel, { last: last[channel.id], dead: own.length })
    return versioned(shown, channel.revision)
  },
})
