import { requireEveryHost } from '../core/access/grant.ts'
import { currentAlerts } from '../core/alerts/firing.ts'
import { conditionOf } from '../core/alerts/rule.ts'
import { conflict, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
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
  summary: 'Update an alert rule',
  description:
    'Omitted fields keep their values; `match` and `channels` are replaced whole. If the rule now measures something else, or is disabled, its firing alerts are resolved.',
  access: 'alerts:manage',
  path: AlertRulePath,
  takesIfMatch: true,
  body: UpdateAlertRuleBody,
  returns: AlertRule,
  errors: {
    403: 'Your credential is limited to some hosts',
    404: 'There is no such rule, or no channel has that id',
    409: 'A rule with that name exists, or the rule is being changed by another request',
  },
  examples: { body: { muted_until: '2026-06-01T13:00:00Z' }, returns: ruleExample },

  async run(
    { path, body, caller, ifMatch },
    ports: Needs<'alertRules' | 'alertStates' | 'alertChannels' | 'hosts' | 'clock'>,
  ) {
    requireEveryHost(caller, 'alert rules')
    const before = await ports.alertRules.find(path.id)
    if (!before) throw notFound('there is no such rule')
    ifMatch.check(before.revision)
    const next = { ...changedRule(before, body), updatedAt: ports.clock.now() }
    if (body.channels) await requireChannels(next.channels, ports)
    const saved = await ports.alertRules.replace({ ...next, revision: before.revision })
    if (!saved) {
      throw conflict(
        'a rule with that name exists, or this one is being changed by another request',
        { reason: 'exists' },
      )
    }
    const isSame = next.enabled && conditionOf(next) === conditionOf(before)
    return versioned(showRule(saved, isSame ? await currentAlerts(ports) : []), saved.revision)
  },
})
