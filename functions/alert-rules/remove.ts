import { requireEveryHost } from '../core/access/grant.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { removeMatching } from '../kit/entity-tag.ts'
import { AlertRulePath } from './schema.ts'

export default endpoint({
  summary: 'Delete an alert rule',
  description: 'Its firing alerts are resolved.',
  access: 'alerts:manage',
  path: AlertRulePath,
  takesIfMatch: true,
  errors: { 403: 'Your credential is limited to some hosts', 404: 'There is no such rule' },

  async run({ path, caller, ifMatch }, { alertRules }: Needs<'alertRules'>) {
    requireEveryHost(caller, 'alert rules')
    const rule = await alertRules.find(path.id)
    if (!rule) throw notFound('there is no such rule')
    ifMatch.check(rule.revision)
    if (!(await removeMatching(rule, alertRules, ifMatch))) throw notFound('there is no such rule')
    return undefined
  },
})
