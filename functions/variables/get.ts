import type { Needs } from '../core/ports/ports.ts'
import { getSet, stacksBySet } from '../core/stacks/variable-set.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { SetPath, setExample, showSet, VariableSet } from './schema.ts'

export default endpoint({
  summary: 'Show a set of shared variables',
  description: 'Values are never returned.',
  access: 'stacks:read',
  path: SetPath,
  returns: VariableSet,
  errors: {
    403: 'It is for hosts outside your scope',
    404: 'There is no such set of variables',
  },
  examples: { returns: setExample },

  async run({ path, caller }, ports: Needs<'hosts' | 'stacks' | 'variableSets'>) {
    const set = await getSet(path.name, ports)
    const stacks = (await stacksBySet(ports)).get(set.id)
    return versioned(showSet(set, { caller, stacks }), set.revision)
  },
})
