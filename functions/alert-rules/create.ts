import { requireEveryHost } from '../core/access/grant.ts'
import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
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
  summary: 'Make an alert rule',
  description:
    'It decides with the next sample of each host. Rules are for all hosts that they match, now and later.',
  access: 'alerts:manage',
  body: CreateAlertRuleBody,
  returns: AlertRule,
  status: 201,
  fails: {
    403: 'Your credential is limited to some hosts',
    404: 'There is no channel of that id',
    409: 'A rule has that name, or there are as many as there can be',
  },
  examples: {
    body: {
      ...{ name: 'A container is busy', metric: 'cpu_percent', threshold: 80 },
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
      throw conflict(`there can be ${rulesMax} rules and no more`)
    }
    if (!(await ports.alertRules.create(rule))) throw conflict(`a rule has the name ${rule.name}`)
    return showRule(rule, [])
  },
})
