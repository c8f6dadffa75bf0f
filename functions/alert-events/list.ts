import { z } from 'zod'
import { instant } from '../core/access/fields.ts'
import { AlertState, Severity, showSubject, subjectExample } from '../core/alerts/fields.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { AlertEvent as Kept } from '../core/records/alert-event.ts'
import { endpoint } from '../kit/endpoint.ts'
import { nextHeader, RangeQuery, rangeOf } from '../kit/params.ts'
import { cutAt } from '../kit/reply.ts'
import { AlertEvent } from './schema.ts'

const eventsMax = 500

export default endpoint({
  summary: 'List alert events',
  description:
    'Alerts that fired or resolved on the hosts in your scope in the last 30 days, newest first.',
  access: 'alerts:read',
  query: RangeQuery.extend({
    rule_id: z.string().min(1).max(64).optional().describe('Only events of this rule'),
    severity: Severity.optional().describe('Only events of this severity'),
    state: AlertState.optional().describe('Only alerts that began, or only those that ended'),
  }),
  returns: z.array(AlertEvent).max(eventsMax),
  responseHeaders: nextHeader,
  examples: {
    returns: [
      {
        id: '01975f3e-8c01-7000-8000-000000000000',
        rule_id: '01975f3e-8c00-7000-8000-000000000000',
        rule_name: 'A container is busy',
        metric: 'cpu_percent',
        severity: 'warning',
        subject: subjectExample,
        state: 'firing',
        subject_gone: false,
        value: 97.5,
        detail: null,
        threshold: 80,
        at: '2026-06-01T12:00:00.000Z',
      },
    ],
  },

  async run({ query }, { alertEvents }: Needs<'alertEvents'>) {
    const { rule_id: ruleId, severity, state } = query
    const { events, next } = await alertEvents.list({
      ...rangeOf(query),
      where: (event) =>
        (ruleId === undefined || event.ruleId === ruleId) &&
        (severity === undefined || event.severity === severity) &&
        (state === undefined || event.state === state),
      limit: eventsMax,
    })
    const shown = events.map(showEvent)
    return next === undefined ? shown : cutAt(shown, next)
  },
})

const showEvent = (event: Kept) => ({
  id: event.id,
  rule_id: event.ruleId,
  rule_name: event.ruleName,
  metric: event.metric,
  severity: event.severity,
  subject: showSubject(event.subject),
  state: event.state,
  subject_gone: event.isGone === true,
  value: event.value,
  detail: event.detail ?? null,
  threshold: event.threshold,
  at: instant(event.at),
})
