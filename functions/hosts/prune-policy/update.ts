import type { JudgePorts } from '../../core/acts-as/judge-later-work.ts'
import { refusedByPolicy } from '../../core/errors.ts'
import { getHost } from '../../core/hosts/target.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { neededFor, whyPruneBlocked } from '../../core/prune-policies/judge-prune.ts'
import { savePrunePolicy } from '../../core/prune-policies/prune-record.ts'
import type { PrunePolicy as PrunePolicyRecord } from '../../core/records/prune-policy.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { versioned } from '../../kit/reply.ts'
import { HostPath } from '../schema.ts'
import { PrunePolicy, PrunePolicyBody } from './schema.ts'
import { prunePolicyEdition, prunePolicyView, pruneTermsOf } from './view.ts'

export default endpoint({
  summary: 'Set the prune policy of a host',
  description:
    'Replaces the policy whole. Its runs act as you: each has the rights that your account has then. Saving it unchanged makes it act as you. ' +
    'A run removes what `POST /images/prune` does, so images of the last three deployments of each stack stay. Volumes are never removed. ' +
    'If runs were missed, such as while the service was off, one makes up for them. See first what would be removed: `GET /hosts/{id}/prune-policy/preview`.',
  access: 'images:delete',
  atService: true,
  takesIfMatch: true,
  path: HostPath,
  body: PrunePolicyBody,
  returns: PrunePolicy,
  errors: {
    403: 'You lack the permission, the host is out of your scope, or `unused` needs stacks:privileged',
    404: 'No host has that id',
    409: 'Another request changed the policy at the same time',
  },

  async run({ path, body, caller, ifMatch }, ports: JudgePorts & Needs<'clock' | 'prunePolicies'>) {
    const { id } = await getHost(path.id, ports)
    const lacking = neededFor(body.what).find((one) => !caller.permissions.has(one))
    if (lacking) throw refusedByPolicy(`body.what: removing images with names requires ${lacking}`)
    const check = (found: PrunePolicyRecord | undefined) => ifMatch.check(prunePolicyEdition(found))
    const saved = await savePrunePolicy(id, pruneTermsOf(body), caller.account, check, ports)
    const blocked = await whyPruneBlocked(saved, ports)
    return versioned(prunePolicyView(saved, blocked), prunePolicyEdition(saved))
  },
})
