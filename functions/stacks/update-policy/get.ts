import type { Needs } from '../../core/ports/ports.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import type { CheckpointPorts } from '../../core/updates/checkpoint-job.ts'
import { whyHeldUp } from '../../core/updates/judge-policy.ts'
import { readPolicies } from '../../core/updates/policy-of.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { versioned } from '../../kit/reply.ts'
import { StackPath } from '../schema.ts'
import { UpdatePolicy } from './schema.ts'
import { policyEdition, policyView } from './view.ts'

export default endpoint({
  summary: 'Show the update policy of a stack',
  description:
    'What happens with newer images of the stack, or the policy that it inherits: that of a tag of its host, that of all stacks, or the default. `blocked` is judged by the rights that the account has now, and names an update of the same host that cannot be taken back.',
  access: 'stacks:read',
  path: StackPath,
  returns: UpdatePolicy,
  errors: { 404: 'No stack has that name' },

  async run({ path }, ports: CheckpointPorts & Needs<'updatePolicies'>) {
    const stack = await getStack(path.name, ports)
    const policy = (await readPolicies(ports))(stack)
    const blocked = await whyHeldUp(stack, policy, ports)
    return versioned(policyView(policy, blocked), policyEdition(stack))
  },
})
