import { z } from 'zod'
import { currentAlerts } from '../core/alerts/firing.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { after, nextByNameHeader } from '../kit/params.ts'
import { pagedByName } from '../kit/reply.ts'
import { AlertRule, ruleExample, rulesMax, showRule } from './schema.ts'

export default endpoint({
  summary: 'List alert rules',
  description:
    'The rules that apply to a host in your scope, sorted by name, with the alerts that fire there.',
  access: 'alerts:read',
  query: z.object({ after }),
  returns: z.array(AlertRule).max(rulesMax),
  responseHeaders: nextByNameHeader,
  examples: { returns: [ruleExample] },

  async run({ query }, ports: Needs<'hosts' | 'alertRules' | 'alertStates'>) {
    const [rules, alerts] = await Promise.all([ports.alertRules.list(), currentAlerts(ports)])
    const byName = rules.sort((one, other) => (one.name < other.name ? -1 : 1))
    const shown = byName.map((rule) => showRule(rule, alerts))
    return pagedByName(shown, { cap: rulesMax, nameOf: ({ name }) => name, after: query.after })
  },
})
