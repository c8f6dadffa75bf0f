import { requireEveryHost } from '../core/access/grant.ts'
import { currentAlerts } from '../core/alerts/firing.ts'
import { conditionOf } from '../core/alerts/rule.ts'
import { conflict, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { requireChannels } from './channels.ts'
import {
  AlertRule,
  AlertRulePath,
  changedRule,
  ruleExample,
  showRule,
  UpdateAlertRuleBody,
} from './schema.ts'

export default endpoint({
  summary: 'Change an alert rule',
  description:
    'What is left out stays. A rule that measures something else from now on, or is switched off, resolves what it fired.',
  access: 'alerts:manage',
  path: AlertRulePath,
  body: UpdateAlertRuleBody,
  returns: AlertRule,
  fails: {
    403: 'Your credential is limited to some hosts',
    404: 'There is no such rule, or no channel of that id',
    409: 'A rule has that name, or others are changing it',
  },
  examples: { body: { muted_until: '2026-06-01T13:00:00Z' }, returns: ruleExample },

  async run(
    { path, body, caller },
    ports: Needs<'alertRules' | 'alertStates' | 'alertChannels' | 'hosts' | 'clock'>,
  ) {
    requireEveryHost(caller, 'alert rules')
    const before = await ports.alertRules.find(path.id)
    if (!before) throw notFound('there is no such rule')
    const next = { ...changedRule(before, body), updatedAt: ports.clock.now() }
    if (body.channels) await requireChannels(next.channels, ports)
    if (!(await ports.alertRules.replace({ ...next, revision: before.revision }))) {
      throw conflict('a rule has that name, or others are changing it')
    }
    const isSame = next.enabled && conditionOf(next) === conditionOf(before)
    return showRule(next, isSame ? await currentAlerts(ports) : [])
  },
})
