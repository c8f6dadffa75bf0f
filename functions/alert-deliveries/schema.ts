import { z } from 'zod'
import { Instant, instant } from '../core/access/fields.ts'
import type { AlertDelivery as Record } from '../core/alerts/delivery.ts'
import { severities } from '../core/alerts/event.ts'
import { eventFields } from '../core/alerts/notice.ts'

/** Most deliveries that a list returns. */
export const deliveriesMax = 200

const Event = z
  .object({
    id: z.string(),
    rule_id: z.string(),
    rule_name: z.string(),
    metric: z.string(),
    operator: z.string(),
    threshold: z.number(),
    value: z.number().nullable(),
    state: z.enum(['firing', 'resolved']),
    severity: z.enum(severities),
    subject: z.object({
      kind: z.string(),
      id: z.string(),
      name: z.string(),
      host_id: z.string(),
      host_name: z.string(),
    }),
    at: Instant,
  })
  .meta({ id: 'AlertDeliveryEvent' })

export const AlertDelivery = z
  .object({
    id: z.string(),
    channel_id: z.string(),
    channel_name: z.string().nullable().describe('Null if the channel was deleted'),
    event: Event,
    state: z.enum(['pending', 'delivered', 'dead']),
    tries: z.int(),
    error: z.string().nullable().describe('The result of the last attempt'),
    created_at: Instant,
    next_try_at: Instant.nullable().describe('When a pending delivery is sent next'),
  })
  .meta({ id: 'AlertDelivery' })

export const DeliveryPath = z.object({ id: z.string().regex(/^[\w.-]{1,160}$/) })

/** Returns a delivery in the API's form. */
export function showDelivery(delivery: Record, channelName: string | undefined) {
  const { id, channelId, event, state, tries, error, createdAt, at } = delivery
  return {
    ...{ id, channel_id: channelId, channel_name: channelName ?? null },
    ...{ event: eventFields(event), state, tries, error },
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
    state: 'firing' as const,
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
  error: 'answered 500',
  created_at: '2026-06-01T12:00:00.000Z',
  next_try_at: null,
}
