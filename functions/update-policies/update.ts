import { requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import type { JudgePorts } from '../core/acts-as/judge-later-work.ts'
import type { Needs } from '../core/ports/ports.ts'
import { whyInheritedBlocked } from '../core/updates/judge-policy.ts'
import { saveInherited } from '../core/updates/save-inherited.ts'
import { endpoint } from '../kit/endpoint.ts'
import { policyFieldsOf } from '../kit/policy-fields.ts'
import {
  InheritedPolicy,
  InheritedPolicyBody,
  inheritedExample,
  inheritedView,
  PolicyPath,
} from './schema.ts'

export default endpoint({
  summary: 'Set an update policy that stacks inherit',
  description:
    'Creates the policy, or replaces it whole: omitted fields get their defaults. With `apply`, updates are deployments that act as you, on each stack that your account may deploy then. The stack that the service runs in is left out.',
  access: 'settings:manage',
  path: PolicyPath,
  body: InheritedPolicyBody,
  returns: InheritedPolicy,
  errors: {
    403: 'Your credential is limited to some hosts, or lacks `stacks:deploy` for the mode `apply`',
    409: 'Another request changes the policy at the same time',
  },
  examples: { returns: inheritedExample },

  async run({ path, body, caller }, ports: JudgePorts & Needs<'updatePolicies' | 'clock'>) {
    requireEveryHost(caller, 'update policies')
    if (body.mode === 'apply') requirePermissions(caller, ['stacks:deploy'], 'body.mode: apply')
    const saved = await saveInherited(path.name, policyFieldsOf(body), caller.account, ports)
    return inheritedView(saved, await whyInheritedBlocked(saved, ports))
  },
})
