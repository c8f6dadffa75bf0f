import { z } from 'zod'
import { instant } from '../core/access/fields.ts'
import { showSubject, subjectExample } from '../core/alerts/fields.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { AlertEvent as Kept } from '../core/records/alert-event.ts'
import { endpoint } from '../kit/endpoint.ts'
import { RangeQuery, rangeOf } from '../kit/params.ts'
import { capped } from '../kit/reply.ts'
import { AlertEvent } from './schema.ts'

const eventsMax = 500

export default endpoint({
  summary: 'List alert events',
  description:
    'Alerts that fired or resolved on the hosts in your scope in the last 30 days, newest first.',
  access: 'alerts:read',
  query: RangeQuery,
  returns: z.array(AlertEvent).max(eventsMax),
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
    const events = await alertEvents.list({ ...rangeOf(query), limit: eventsMax + 1 })
    return capped(events.map(showEvent), eventsMax)
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
