import { requireEveryHost } from '../core/access/grant.ts'
import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import { requireReachable } from './reachable.ts'
import {
  AlertChannel,
  AlertChannelBody,
  channelExample,
  channelsMax,
  showChannel,
} from './schema.ts'

export default endpoint({
  summary: 'Create an alert channel',
  description:
    'A channel of one of the kinds: a webhook, Slack, Discord, Microsoft Teams, ntfy, Gotify, Telegram, Pushover, Matrix, an Apprise API server or email. URLs of webhooks, topics, secrets, tokens, keys and passwords are encrypted in the store and never returned. Loopback, link-local and other addresses of the machine itself are rejected unless SERVICE_OUTBOUND_ALLOW allows them.',
  access: 'alerts:manage',
  body: AlertChannelBody,
  returns: AlertChannel,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    400: 'The outbound network policy does not allow the address',
    403: 'Your credential is limited to some hosts',
    409: 'A channel with that name exists, or the limit of channels is reached',
  },
  examples: {
    body: {
      name: 'Operations',
      kind: 'webhook' as const,
      url: 'https://hooks.example.org/alerts',
      secret: 'a long random text',
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
      throw conflict(`the limit of ${channelsMax} channels is reached`, { reason: 'limit' })
    }
    const now = clock.now()
    const channel = { id: random.id(), name, target, createdAt: now, updatedAt: now }
    if (!(await alertChannels.create(channel))) {
      throw conflict(`a channel named ${name} already exists`, { reason: 'exists' })
    }
    return created(showChannel(channel), 'alert-channels', channel.id)
  },
})
