import { z } from 'zod'
import { Instant, instant, instantOrNull } from '../core/access/fields.ts'
import {
  Metric,
  Operator,
  Severity,
  Subject,
  showSubject,
  subjectExample,
} from '../core/alerts/fields.ts'
import type { Alert } from '../core/alerts/firing.ts'
import { metricFacts, ruleProblem } from '../core/alerts/rule.ts'
import { invalid } from '../core/errors.ts'
import type { AlertRule as Record } from '../core/records/alert-rule.ts'
import { acceptResponse } from '../kit/read-only.ts'

/** The maximum number of rules that can exist, and so of a list. */
export const rulesMax = 200
/** The maximum number of firing subjects of a rule. */
const firingMax = 200

const secondsMax = 86_400

const Name = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters')
const Glob = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters')
const Globs = z.array(Glob).min(1).max(50)

const Match = z
  .strictObject({
    hosts: Globs.optional().describe('Names or ids of hosts'),
    stacks: Globs.optional().describe('Names of stacks'),
    containers: Globs.optional().describe('Names of containers'),
  })
  .describe(
    'What the rule applies to; `*` matches any characters, `?` matches one. An omitted field matches everything',
  )

const Threshold = z.number().min(0).max(102_400)
const ForSeconds = z
  .int()
  .min(0)
  .max(secondsMax)
  .describe(
    'How long the condition must hold before the alert fires, and be false (at most a minute) before it resolves; with `restarts`, the period in which restarts are counted',
  )
const CooldownSeconds = z
  .int()
  .min(0)
  .max(secondsMax)
  .describe('How long the rule does not fire again for the same subject after it fired')
const Channels = z.array(z.string().min(1).max(128)).max(20).describe('Ids of alert channels')
const MutedUntil = z.iso
  .datetime({ offset: true })
  .nullable()
  .describe(
    'Until then no alerts of this rule are sent. Alerts still firing at that time are sent then',
  )

const fields = {
  name: Name.describe('Name of the rule, unique among rules'),
  metric: Metric.describe('What is measured'),
  operator: Operator.optional().describe(
    'Defaults to `gt`. A metric that is 1 while a condition holds accepts only `eq`; one that counts (`restarts`, `updates_available`, `update_checks_failed`) accepts neither `lt` nor `lte`; a percentage does not accept `eq`',
  ),
  threshold: Threshold.optional().describe(
    'Must be 1 for a metric that is 1 while a condition holds; defaults to 0 with `updates_available` and `update_checks_failed`',
  ),
  for_seconds: ForSeconds.optional().describe(
    'Defaults to 60; 600 with `restarts`, 3600 with `update_checks_failed`, 0 with `backup_failed`, `deploy_failed`, `job_failed`, `source_failed`, `update_failed` and `updates_available`',
  ),
  cooldown_seconds: CooldownSeconds.optional().describe('Defaults to 300'),
  match: Match.optional(),
  severity: Severity.optional().describe('Defaults to `warning`'),
  channels: Channels.optional(),
  muted_until: MutedUntil.optional(),
  enabled: z.boolean().optional().describe('Whether the rule is evaluated; defaults to `true`'),
}

export const CreateAlertRuleBody = z.strictObject(fields).meta({ id: 'CreateAlertRuleBody' })

export const AlertRulePath = z.object({
  id: z.string().min(1).max(128).describe('Id of the alert rule'),
})

export const AlertRule = z
  .object({
    id: z.string().describe('Id of the rule'),
    name: z.string().describe('Name of the rule'),
    metric: Metric.describe('What is measured'),
    operator: Operator.describe('How the value is compared with `threshold`'),
    threshold: z.number().describe('In the unit of the metric'),
    for_seconds: ForSeconds,
    cooldown_seconds: CooldownSeconds,
    match: Match,
    severity: Severity.describe('How serious the alert is'),
    channels: Channels,
    muted_until: Instant.nullable().describe(
      'No alerts of the rule are sent until then; `null` if it is not muted',
    ),
    enabled: z.boolean().describe('Whether the rule is evaluated'),
    firing: z
      .array(
        z.object({
          subject: Subject.describe('What the alert is about'),
          value: z
            .number()
            .describe('Value measured when the alert began, in the unit of the metric'),
          since: Instant.describe('When the condition began to hold'),
        }),
      )
      .max(firingMax)
      .describe('The alerts that fire now on the hosts in your scope, newest first'),
    created_at: Instant.describe('When the rule was created'),
    updated_at: Instant.describe('When the rule was last changed'),
  })
  .meta({ id: 'AlertRule' })

export const UpdateAlertRuleBody = acceptResponse(
  z.strictObject({ ...fields, name: fields.name.optional(), metric: fields.metric.optional() }),
  AlertRule,
).meta({ id: 'UpdateAlertRuleBody' })

/** Returns a rule in the API's form. */
export function showRule(rule: Record, alerts: readonly Alert[]): z.input<typeof AlertRule> {
  const { id, name, metric, operator, threshold, match, severity, channels, enabled } = rule
  const firing = alerts.filter((alert) => alert.rule.id === id && alert.state === 'firing')
  return {
    id,
    name,
    metric,
    operator,
    threshold,
    for_seconds: rule.forSeconds,
    cooldown_seconds: rule.cooldownSeconds,
    match,
    severity,
    channels,
    muted_until: instantOrNull(rule.mutedUntil),
    enabled,
    firing: firing.slice(0, firingMax).map(({ subject, value, since }) => ({
      subject: showSubject(subject),
      value,
      since: instant(since),
    })),
    created_at: instant(rule.createdAt),
    updated_at: instant(rule.updatedAt),
  }
}

type Sent = z.output<typeof UpdateAlertRuleBody>

/**
 * Returns the rule with the fields of a body. Fields that the body omits keep their value.
 *
 * @throws 400 if the resulting rule is invalid
 */
export function changedRule(before: Record, body: Sent): Record {
  const { muted_until: muted } = body
  const rule: Record = {
    ...before,
    name: body.name ?? before.name,
    metric: body.metric ?? before.metric,
    operator: body.operator ?? before.operator,
    threshold: body.threshold ?? before.threshold,
    forSeconds: body.for_seconds ?? before.forSeconds,
    cooldownSeconds: body.cooldown_seconds ?? before.cooldownSeconds,
    match: body.match ?? before.match,
    severity: body.severity ?? before.severity,
    channels: [...new Set(body.channels ?? before.channels)],
    mutedUntil: muted === undefined ? before.mutedUntil : muted === null ? null : Date.parse(muted),
    enabled: body.enabled ?? before.enabled,
  }
  const problem = ruleProblem(rule)
  if (problem) throw invalid(`body.${problem}`)
  return rule
}

/**
 * Returns a new rule with defaults for the fields that the body omits.
 *
 * @throws 400 if the metric needs a threshold and the body has none
 */
export function newRule(id: string, now: number, body: z.output<typeof CreateAlertRuleBody>) {
  const { name, metric, threshold } = body
  const { scale, forSeconds, usual } = metricFacts[metric]
  if (threshold === undefined && usual === undefined) {
    throw invalid(`body.threshold: is required with the metric ${metric}`)
  }
  const defaults: Record = {
    id,
    name,
    metric,
    forSeconds,
    threshold: usual ?? 0,
    cooldownSeconds: 300,
    match: {},
    operator: scale === 'state' ? 'eq' : 'gt',
    severity: 'warning',
    channels: [],
    mutedUntil: null,
    enabled: true,
    createdAt: now,
    updatedAt: now,
  }
  return changedRule(defaults, body)
}

export const ruleExample = {
  id: '01975f3e-8c00-7000-8000-000000000000',
  name: 'A container is busy',
  metric: 'cpu_percent',
  operator: 'gt',
  threshold: 80,
  for_seconds: 60,
  cooldown_seconds: 300,
  match: { stacks: ['shop*'] },
  severity: 'warning',
  channels: [],
  muted_until: null,
  enabled: true,
  firing: [{ subject: subjectExample, value: 97.5, since: '2026-06-01T12:00:00.000Z' }],
  created_at: '2026-06-01T11:00:00.000Z',
  updated_at: '2026-06-01T11:00:00.000Z',
} as const
