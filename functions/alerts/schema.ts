import { z } from 'zod'
import { Instant } from '../core/access/fields.ts'
import { Metric, Severity, Subject } from '../core/alerts/fields.ts'

/** An alert that is firing or pending. */
export const Alert = z
  .object({
    rule_id: z.string(),
    rule_name: z.string(),
    metric: Metric,
    severity: Severity,
    subject: Subject,
    state: z.enum(['firing', 'pending']),
    value: z.number().describe('The value measured when the alert began'),
    threshold: z.number(),
    since: Instant,
    muted: z.boolean(),
  })
  .meta({ id: 'Alert' })
