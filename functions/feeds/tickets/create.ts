import { z } from 'zod'
import { ticketBytes, ticketLifetime } from '../../core/access/ticket.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { ticketHash } from '../../kit/ticket.ts'

export default endpoint({
  summary: 'Get a ticket for a feed',
  description:
    'A ticket opens one feed, as `?ticket=`, within 30 seconds, with the permissions of the credential that requested it. It is for browsers, ' +
    'which cannot send a header with a WebSocket upgrade, and for feeds at another address, where the credential itself should not be sent. ' +
    'A ticket that was requested with an `Origin` is valid only for that `Origin`.',
  access: 'signed-in',
  takesIdempotencyKey: false,
  recordedOnce: true,
  returns: z.object({
    ticket: z
      .string()
      .meta({ examples: ['dGlja2V0LXRoYXQtd29ya3Mtb25jZS1vbmx5LWFuZC1naQ'] })
      .describe('Sent as the query parameter `ticket` of a feed, once, within 30 seconds'),
    url: z
      .string()
      .optional()
      .meta({ examples: ['wss://feeds.example.org/api/v1'] })
      .describe(
        'Where feeds are, if not at the address of this request: a feed is at this URL followed by its path, such as `/ws/events`',
      ),
  }),

  async run(
    { caller, request },
    { tickets, random, clock, site }: Needs<'tickets' | 'random' | 'clock' | 'site'>,
  ) {
    const { origin = null } = request.headers
    const ticket = Buffer.from(random.bytes(ticketBytes)).toString('base64url')
    const expiresAt = clock.now() + ticketLifetime
    const { credential } = caller
    await tickets.create({ hash: ticketHash(ticket), credential, origin, expiresAt })
    return { ticket, ...(site.feedsUrl !== null && { url: `${site.feedsUrl}/api/v1` }) }
  },
})
