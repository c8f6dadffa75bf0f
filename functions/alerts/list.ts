import { z } from 'zod'
import { instant } from '../core/access/fields.ts'
import { showSubject, subjectExample } from '../core/alerts/fields.ts'
import { type Alert as Current, currentAlerts } from '../core/alerts/firing.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { Alert } from './schema.ts'

const alertsMax = 200

export default endpoint({
  summary: 'List alerts',
  description: 'Alerts that fire now on the hosts in your scope, newest first.',
  access: 'alerts:read',
  query: z.object({
    state: z
      .enum(['firing', 'pending', 'all'])
      .default('firing')
      .describe('`pending`: the condition holds, but not yet for long enough'),
  }),
  returns: z.array(Alert).max(alertsMax),
  examples: {
    returns: [
      {
        rule_id: '01975f3e-8c00-7000-8000-000000000000',
        rule_name: 'A container is busy',
        metric: 'cpu_percent',
        severity: 'warning',
        subject: subjectExample,
        state: 'firing',
        value: 97.5,
        threshold: 80,
        since: '2026-06-01T12:00:00.000Z',
        muted: false,
      },
    ],
  },

  async run({ query }, ports: Needs<'hosts' | 'alertRules' | 'alertStates' | 'clock'>) {
    const alerts = await currentAlerts(ports)
    const wanted = alerts.filter(({ state }) => query.state === 'all' || state === query.state)
    return capped(
      wanted.map((alert) => showAlert(alert, ports.clock.now())),
      alertsMax,
    )
  },
})

function showAlert({ rule, subject, state, value, since }: Current, now: number) {
  return {
    rule_id: rule.id,
    rule_name: rule.name,
    metric: rule.metric,
    severity: rule.severity,
    subject: showSubject(subject),
    state,
    value,
    threshold: rule.threshold,
    since: instant(since),
    muted: (rule.mutedUntil ?? 0) > now,
  }
}
