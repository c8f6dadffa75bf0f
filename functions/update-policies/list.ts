import { z } from 'zod'
import { requireEveryHost } from '../core/access/grant.ts'
import type { JudgePorts } from '../core/acts-as/judge-later-work.ts'
import type { Needs } from '../core/ports/ports.ts'
import { whyInheritedBlocked } from '../core/updates/judge-policy.ts'
import { endpoint } from '../kit/endpoint.ts'
import { after, nextByNameHeader } from '../kit/params.ts'
import { pagedByName } from '../kit/reply.ts'
import { InheritedPolicy, inheritedExample, inheritedView, policiesMax } from './schema.ts'

export default endpoint({
  summary: 'List the update policies that stacks inherit',
  description:
    'Sorted by `of`. The policy of a stack comes first, then that of a tag of its host, then `default`. If two tags of a host have one, the most careful counts: `off`, then `notify`, then the higher minimum age, then one with a window.',
  access: 'settings:manage',
  query: z.object({ after }),
  returns: z.array(InheritedPolicy).max(policiesMax),
  responseHeaders: nextByNameHeader,
  errors: { 403: 'Your credential is limited to some hosts' },
  examples: { returns: [inheritedExample] },

  async run({ query, caller }, ports: JudgePorts & Needs<'updatePolicies'>) {
    requireEveryHost(caller, 'update policies')
    const found = await ports.updatePolicies.list()
    const views = found.map(async (one) =>
      inheritedView(one, await whyInheritedBlocked(one, ports)),
    )
    return pagedByName(await Promise.all(views), {
      cap: policiesMax,
      nameOf: ({ of }) => of,
      after: query.after,
    })
  },
})
