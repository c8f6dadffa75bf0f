import { z } from 'zod'
import { Instant, instant } from '../core/access/fields.ts'
import { AlertState, Metric, Operator, Severity, Subject } from '../core/alerts/fields.ts'
import { eventFields } from '../core/alerts/notice.ts'
import type { AlertDelivery as Record } from '../core/records/alert-delivery.ts'

/** The maximum number of deliveries that a list returns. */
export const deliveriesMax = 200

export const AlertDeliveryEvent = z
  .object({
    id: z.string().describe('Id of the alert event'),
    rule_id: z.string().describe('Id of the rule that fired'),
    rule_name: z.string().describe('Name of the rule that fired'),
    metric: Metric.describe('Metric that the rule watches'),
    operator: Operator.describe('How the value is compared with the threshold'),
    threshold: z.number().describe('Threshold of the rule, in the unit of the metric'),
    value: z
      .number()
      .nullable()
      .describe(
        'Measured value, in the unit of the metric; `null` if there is nothing left to measure',
      ),
    detail: z
      .string()
      .nullable()
      .describe('What is known of the cause, in one line, such as the output of a health check'),
    state: AlertState.describe('Whether the alert began (`firing`) or ended (`resolved`)'),
    subject_gone: z
      .boolean()
      .describe('Whether it ended because its subject was removed, such as a container'),
    severity: Severity.describe('Severity of the rule'),
    subject: Subject.describe('What the alert is about'),
    at: Instant.describe('When the alert began or ended'),
  })
  .meta({ id: 'AlertDeliveryEvent' })

export const AlertDelivery = z
  .object({
    id: z.string().describe('Id of the delivery'),
    channel_id: z.string().describe('Id of the alert channel'),
    channel_name: z.string().nullable().describe('Null if the channel was deleted'),
    event: AlertDeliveryEvent.describe('The alert event to deliver'),
    state: z
      .enum(['pending', 'delivered', 'dead'])
      .describe('`pending` is retried, `dead` was given up'),
    tries: z.int().describe('Number of attempts so far'),
    error: z.string().nullable().describe('The result of the last attempt'),
    created_at: Instant.describe('When the delivery was created'),
    next_try_at: Instant.nullable().describe('When a pending delivery is sent next'),
  })
  .meta({ id: 'AlertDelivery' })

export const DeliveryPath = z.object({
  id: z
    .string()
    .regex(/^[\w.-]{1,160}$/, 'must be the id of a delivery')
    .describe('Id of the delivery'),
})

/** Returns a delivery in the API's form. */
export function showDelivery(delivery: Record, channelName: string | undefined) {
  const { id, channelId, event, state, tries, error, createdAt, at } = delivery
  return {
    id,
    channel_id: channelId,
    channel_name: channelName ?? null,
    event: eventFields(event),
    state,
    tries,
    error,
    created_at: instant(createdAt),
    next_try_at: state === 'pending' ? instant(at) : null,
  }
}

export const deliveryExample = {
  id: '01976a3e-0000-7000-8000-000000000002.01976a3e-0000-7000-8000-000000000001',
  channel_id: '01976a3e-0000-7000-8000-000000000001',
  channel_name: 'Operations',
  event: {
    id: '01976a3e-0000-7000-8000-000000000002',
    rule_id: '01976a3e-0000-7000-8000-000000000003',
    rule_name: 'Busy container',
    metric: 'cpu_percent',
    operator: 'gt',
    threshold: 90,
    value: 93.25,
    detail: null,
    state: 'firing' as const,
    subject_gone: false,
    severity: 'warning' as const,
    subject: {
      kind: 'container',
      id: '3f2a1b0c9d8e',
      name: 'shop-web-1',
      host_id: 'local',
      host_name: 'local',
    },
    at: '2026-06-01T12:00:00.000Z',
  },
  state: 'dead' as const,
  tries: 8,
  error: 'responded with 500',
  created_at: '2026-06-01T12:00:00.000Z',
  next_try_at: null,
}
