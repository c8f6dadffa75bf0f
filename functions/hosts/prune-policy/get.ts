import type { JudgePorts } from '../../core/acts-as/judge-later-work.ts'
import { getHost } from '../../core/hosts/target.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { whyPruneBlocked } from '../../core/prune-policies/judge-prune.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { versioned } from '../../kit/reply.ts'
import { HostPath } from '../schema.ts'
import { PrunePolicy } from './schema.ts'
import { prunePolicyEdition, prunePolicyView } from './view.ts'

export default endpoint({
  summary: 'Show the prune policy of a host',
  description:
    'Which images of the host are removed on a schedule. `schedule` is `null` if no policy was saved: nothing is removed then. `blocked` is judged by the rights that the account has now.',
  access: 'images:read',
  path: HostPath,
  returns: PrunePolicy,
  errors: { 404: 'No host has that id' },

  async run({ path }, ports: JudgePorts & Needs<'prunePolicies'>) {
    const { id } = await getHost(path.id, ports)
    const policy = await ports.prunePolicies.find(id)
    const blocked = policy ? await whyPruneBlocked(policy, ports) : null
    return versioned(prunePolicyView(policy, blocked), prunePolicyEdition(policy))
  },
})
