import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { after, nextByNameHeader } from '../kit/params.ts'
import { pagedByName } from '../kit/reply.ts'
import { AlertChannel, channelExample, channelsMax, deadCounted, showChannel } from './schema.ts'

export default endpoint({
  summary: 'List alert channels',
  description:
    'Sorted by name, with the result of the last delivery and the number of dead deliveries.',
  access: 'alerts:read',
  query: z.object({ after }),
  returns: z.array(AlertChannel).max(channelsMax),
  responseHeaders: nextByNameHeader,
  examples: { returns: [channelExample] },

  async run(
    { query },
    { alertChannels, alertDeliveries }: Needs<'alertChannels' | 'alertDeliveries'>,
  ) {
    const [channels, last, { deliveries: dead }] = await Promise.all([
      alertChannels.list(),
      alertDeliveries.last(),
      alertDeliveries.list('dead', deadCounted),
    ])
    const shown = channels.map((channel) => {
      const own = dead.filter(({ channelId }) => channelId === channel.id)
      return showChannel(channel, { last: last[channel.id], dead: own.length })
    })
    shown.sort((a, b) => (a.name < b.name ? -1 : 1))
    return pagedByName(shown, { cap: channelsMax, nameOf: ({ name }) => name, after: query.after })
  },
})
