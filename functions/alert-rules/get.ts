import { currentAlerts } from '../core/alerts/firing.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { AlertRule, AlertRulePath, ruleExample, showRule } from './schema.ts'

export default endpoint({
  summary: 'Show an alert rule',
  access: 'alerts:read',
  path: AlertRulePath,
  returns: AlertRule,
  errors: { 404: 'There is no such rule' },
  examples: { returns: ruleExample },

  async run({ path }, ports: Needs<'hosts' | 'alertRules' | 'alertStates'>) {
    const rule = await ports.alertRules.find(path.id)
    if (!rule) throw notFound('there is no such rule')
    return versioned(showRule(rule, await currentAlerts(ports)), rule.revision)
  },
})
