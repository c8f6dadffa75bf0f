import type { Needs } from '../../core/ports/ports.ts'
import type { StackRecord } from '../../core/records/stack.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { whyHeldUp } from '../../core/updates/judge-policy.ts'
import { readPolicies } from '../../core/updates/policy-of.ts'
import {
  type RequireCheckpointPorts,
  requireCheckpoint,
} from '../../core/updates/require-checkpoint.ts'
import { type SavePolicyPorts, savePolicy } from '../../core/updates/save-policy.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { versioned } from '../../kit/reply.ts'
import { StackPath } from '../schema.ts'
import { UpdatePolicy, UpdatePolicyBody } from './schema.ts'
import { policyEdition, policyView, termsOf } from './view.ts'

export default endpoint({
  summary: 'Set the update policy of a stack',
  description:
    'Replaces the policy whole: omitted fields get their defaults. With `apply`, updates are deployments that act as you: each has the rights that your account has then. ' +
    'Saving the policy unchanged makes its updates act as you. Names in `except` need not be services now.',
  access: 'stacks:deploy',
  atService: true,
  takesIfMatch: true,
  path: StackPath,
  body: UpdatePolicyBody,
  returns: UpdatePolicy,
  errors: {
    403: 'You lack a permission that running the backup job of `checkpoint` by hand needs, or restoring its backup',
    404: 'No stack has that name, or no backup job the id in `checkpoint`',
    409: '`mode` is `apply`, but the service itself runs in the stack; or another request changed the stack or its policy at the same time',
    422: 'The backup job of `checkpoint` does not back up the stack; a name in `after` is no other stack of the same host; or stacks would wait for each other',
  },

  async run({ path, body, caller, ifMatch }, ports: Ports) {
    const stack = await getStack(path.name, ports)
    const check = (now: StackRecord) => ifMatch.check(policyEdition(now))
    check(stack)
    if (body.checkpoint !== null) await requireCheckpoint(stack, body.checkpoint, caller, ports)
    const saved = await savePolicy(stack, termsOf(body), caller.account, check, ports)
    const policy = (await readPolicies(ports))(saved)
    const blocked = await whyHeldUp(saved, policy, ports)
    return versioned(policyView(policy, blocked), policyEdition(saved))
  },
})

type Ports = RequireCheckpointPorts & SavePolicyPorts & Needs<'updatePolicies'>
