import { z } from 'zod'
import { Instant } from '../core/access/fields.ts'
import { AlertState, Metric, Severity, Subject } from '../core/alerts/fields.ts'

/** The start or the end of an alert. */
export const AlertEvent = z
  .object({
    id: z.string().describe('Id of the event'),
    rule_id: z.string().describe('Id of the rule'),
    rule_name: z.string().describe('Name of the rule when the event happened'),
    metric: Metric.describe('Metric that the rule watches'),
    severity: Severity.describe('Severity of the rule when the event happened'),
    subject: Subject.describe('What the alert is about'),
    state: AlertState.describe('Whether the alert began (`firing`) or ended (`resolved`)'),
    subject_gone: z
      .boolean()
      .describe('Whether it ended because its subject was removed, such as a container'),
    value: z.number().nullable().describe('Null if there is nothing left to measure'),
    detail: z
      .string()
      .nullable()
      .describe('What is known of the cause, in one line, such as the output of a health check'),
    threshold: z.number().describe('Threshold of the rule, in the unit of the metric'),
    at: Instant.describe('When the alert began or ended'),
  })
  .meta({ id: 'AlertEvent' })
