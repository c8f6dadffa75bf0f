import { deliveryExample } from '../functions/alert-deliveries/schema.ts'
import { WebhookBody } from '../functions/alert-deliveries/webhook.ts'
import type { Node, SchemaBook } from './schemas.ts'

/** Returns the requests that the service sends to receivers of its users. */
export const webhooksOf = (book: SchemaBook): Node => ({
  alert: {
    post: {
      operationId: 'webhooks.alert',
      tags: ['alert-deliveries'],
      summary: 'Receive an alert',
      description,
      security: [],
      parameters: headers.map((header) => ({ in: 'header', required: true, ...header })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: book.output(WebhookBody), example } },
      },
      responses: {
        '2XX': { description: 'Delivered. The body of the response is not used.' },
        default: {
          description:
            'Not delivered, redirects included: it is sent again, not before the time in `Retry-After` but an hour later at most.',
          headers: {
            'Retry-After': {
              description: 'Seconds, or a date of HTTP',
              schema: { type: 'string' },
              example: '120',
            },
          },
        },
      },
    },
  },
})

const description = [
  'Sent to each alert channel of the kind `webhook` when an alert begins and when it ends, and by `POST /alert-channels/{id}/test`, with `test` in place of `event`.',
  'Check `X-Signature-256` over the bytes of the body, and that `sent_at` is recent.',
  'An attempt that fails or takes more than ten seconds is repeated after 5 s, 20 s, 80 s and so on, up to an hour, 8 attempts in all.',
  'An alert can come twice, with the same `delivery_id`, and not in the order of `at`.',
].join(' ')

const headers = [
  {
    name: 'X-Signature-256',
    description:
      '`sha256=` and the HMAC-SHA256 of the exact bytes of the body with the `secret` of the channel, in hex',
    schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
    example: `sha256=${'5f0c2a1e'.repeat(8)}`,
  },
  {
    name: 'X-Delivery-Id',
    description: 'The same as `delivery_id`',
    schema: { type: 'string' },
    example: deliveryExample.id,
  },
  {
    name: 'X-Timestamp',
    description: 'The same as `sent_at`',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-06-01T12:00:01.000Z',
  },
  {
    name: 'User-Agent',
    description: '`container-stacks/` and the version of the service',
    schema: { type: 'string' },
    example: 'container-stacks/0.1.0',
  },
]

const example = {
  delivery_id: deliveryExample.id,
  sent_at: '2026-06-01T12:00:01.000Z',
  text: 'WARNING: Busy container: shop-web-1 on local',
  event: deliveryExample.event,
}
