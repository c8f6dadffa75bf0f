import { z } from 'zod'
import { Instant } from '../core/access/fields.ts'
import { Metric, Severity, Subject } from '../core/alerts/fields.ts'

/** An alert that is firing or pending. */
export const Alert = z
  .object({
    rule_id: z.string().describe('Id of the rule'),
    rule_name: z.string().describe('Name of the rule'),
    metric: Metric.describe('What is measured'),
    severity: Severity.describe('Severity of the rule'),
    subject: Subject.describe('What the alert is about'),
    state: z
      .enum(['firing', 'pending'])
      .describe('`firing`, or `pending`: the condition does not yet hold for long enough'),
    value: z.number().describe('The value measured when the alert began'),
    threshold: z.number().describe('Threshold of the rule, in the unit of the metric'),
    since: Instant.describe('When the condition began to hold'),
    muted: z.boolean().describe('Whether the rule is muted now, so that no alerts are sent'),
  })
  .meta({ id: 'Alert' })
