import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { setsMax, stacksBySet } from '../core/stacks/variable-set.ts'
import { endpoint } from '../kit/endpoint.ts'
import { after, nextByNameHeader } from '../kit/params.ts'
import { pagedByName } from '../kit/reply.ts'
import { setExample, showSet, VariableSet } from './schema.ts'

export default endpoint({
  summary: 'List sets of shared variables',
  description:
    'Sorted by name. Lists the sets that stacks on hosts in your scope may take. Values are never returned.',
  access: 'stacks:read',
  query: z.object({ after }),
  returns: z.array(VariableSet).max(setsMax),
  responseHeaders: nextByNameHeader,
  examples: { returns: [setExample] },

  async run({ query, caller }, ports: Needs<'hosts' | 'stacks' | 'variableSets'>) {
    const [sets, users] = await Promise.all([ports.variableSets.list(), stacksBySet(ports)])
    const shown = sets.map((set) => showSet(set, { caller, stacks: users.get(set.id) }))
    return pagedByName(shown, { cap: setsMax, nameOf: ({ name }) => name, after: query.after })
  },
})
