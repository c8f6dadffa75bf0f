import { z } from 'zod'
import { Instant } from '../core/access/fields.ts'
import { Severity, Subject } from '../core/alerts/fields.ts'

/** The start or the end of an alert. */
export const AlertEvent = z
  .object({
    id: z.string(),
    rule_id: z.string(),
    rule_name: z.string(),
    metric: z.string(),
    severity: Severity,
    subject: Subject,
    state: z.enum(['firing', 'resolved']),
    value: z.number().nullable().describe('Null if there is nothing left to measure'),
    threshold: z.number(),
    at: Instant,
  })
  .meta({ id: 'AlertEvent' })
