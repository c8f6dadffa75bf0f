import { requireEveryHost } from '../core/access/grant.ts'
import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import { requireChannels } from './channels.ts'
import {
  AlertRule,
  CreateAlertRuleBody,
  newRule,
  ruleExample,
  rulesMax,
  showRule,
} from './schema.ts'

export default endpoint({
  summary: 'Create an alert rule',
  description:
    'The rule is evaluated with the next sample of each host. It applies to all hosts that it matches, including hosts added later.',
  access: 'alerts:manage',
  body: CreateAlertRuleBody,
  returns: AlertRule,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'Your credential is limited to some hosts',
    404: 'No channel has that id',
    409: 'A rule with that name exists, or the limit of rules is reached',
  },
  examples: {
    body: {
      name: 'A container is busy',
      metric: 'cpu_percent',
      threshold: 80,
      match: { stacks: ['shop*'] },
    },
    returns: { ...ruleExample, firing: [] },
  },

  async run(
    { body, caller, note },
    ports: Needs<'alertRules' | 'alertChannels' | 'clock' | 'random'>,
  ) {
    requireEveryHost(caller, 'alert rules')
    const rule = newRule(ports.random.id(), ports.clock.now(), body)
    await requireChannels(rule.channels, ports)
    note({ subject: { kind: 'alert-rules', id: rule.id } })
    if ((await ports.alertRules.list()).length >= rulesMax) {
      throw conflict(`the limit of ${rulesMax} rules is reached`, { reason: 'limit' })
    }
    if (!(await ports.alertRules.create(rule)))
      throw conflict(`a rule named ${rule.name} already exists`, { reason: 'exists' })
    return created(showRule(rule, []), 'alert-rules', rule.id)
  },
})
