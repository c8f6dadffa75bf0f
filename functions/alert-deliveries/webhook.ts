import { z } from 'zod'
import { Instant } from '../core/access/fields.ts'
import { AlertDeliveryEvent } from './schema.ts'

const message = {
  delivery_id: z
    .string()
    .describe('Id of the delivery, the same at each attempt. A test has one that no delivery has'),
  sent_at: Instant.describe('When this attempt was made. Reject what is older than a few minutes'),
  text: z.string().describe('What happened, in one line for people'),
}

/** The body of the request that delivers an alert to a webhook. */
export const WebhookAlert = z
  .object({ ...message, event: AlertDeliveryEvent.describe('The alert event') })
  .meta({ id: 'WebhookAlert' })

/** The body of the request that tests a webhook. */
export const WebhookTest = z
  .object({ ...message, test: z.literal(true).describe('There is no alert') })
  .meta({ id: 'WebhookTest' })

export const WebhookBody = z.union([WebhookAlert, WebhookTest])
