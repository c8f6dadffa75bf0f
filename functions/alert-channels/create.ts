import { requireEveryHost } from '../core/access/grant.ts'
import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { requireReachable } from './reachable.ts'
import {
  AlertChannel,
  AlertChannelBody,
  channelExample,
  channelsMax,
  showChannel,
} from './schema.ts'

export default endpoint({
  summary: 'Add a channel for alerts',
  description:
    'A webhook, Slack, Discord, ntfy or mail. Addresses, topics, secrets, tokens and passwords are encrypted in the store and never shown. Loopback, link-local and other addresses of the machine itself are refused unless SERVICE_OUTBOUND_ALLOW allows them.',
  access: 'alerts:manage',
  body: AlertChannelBody,
  returns: AlertChannel,
  status: 201,
  fails: {
    400: 'It leads to an address that is not dialed',
    403: 'Your credential is limited to some hosts',
    409: 'A channel has that name, or there are as many as there can be',
  },
  examples: {
    body: {
      ...{ name: 'Operations', kind: 'webhook' as const },
      ...{ url: 'https://hooks.example.org/alerts', secret: 'a long random text' },
    },
    returns: channelExample,
  },

  async run(
    { body: { name, ...target }, caller },
    {
      alertChannels,
      outbound,
      clock,
      random,
    }: Needs<'alertChannels' | 'outbound' | 'clock' | 'random'>,
  ) {
    requireEveryHost(caller, 'alert channels')
    requireReachable(target, { outbound })
    if ((await alertChannels.list()).length >= channelsMax) {
      throw conflict(`there can be ${channelsMax} channels and no more`)
    }
    const now = clock.now()
    const channel = { id: random.id(), name, target, createdAt: now, updatedAt: now }
    if (!(await alertChannels.create(channel))) {
      throw conflict(`there is a channel ${name} already`)
    }
    return showChannel(channel)
  },
})
