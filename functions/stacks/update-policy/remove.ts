import type { Needs } from '../../core/ports/ports.ts'
import type { StackRecord } from '../../core/records/stack.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { removePolicy } from '../../core/updates/save-policy.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { StackPath } from '../schema.ts'
import { policyEdition } from './view.ts'

export default endpoint({
  summary: 'Reset the update policy of a stack',
  description:
    'Deletes the policy of the stack. From then on it inherits one: that of a tag of its host, that of all stacks, or the default, by which newer images are only shown and reported.',
  access: 'stacks:deploy',
  takesIfMatch: true,
  path: StackPath,
  errors: {
    404: 'No stack has that name',
    409: 'The stack is being changed by another request',
  },

  async run({ path, ifMatch }, ports: Needs<'stacks'>) {
    const check = (now: StackRecord) => ifMatch.check(policyEdition(now))
    await removePolicy(await getStack(path.name, ports), check, ports)
    return undefined
  },
})
