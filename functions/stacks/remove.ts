import { startDeployment } from '../core/deploy/deploy.ts'
import { type DeployPorts, plainOptions } from '../core/deploy/request.ts'
import { internalError } from '../core/errors.ts'
import { isUnreachable } from '../core/hosts/is-unreachable.ts'
import { removerOf } from '../core/owners/left-volumes.ts'
import { isOwnStack } from '../core/owners/refuse-installation.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { StackRecord } from '../core/records/stack.ts'
import { forgetStack } from '../core/stacks/forget-stack.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Reply } from '../kit/reply.ts'
import { RemovedStack, RemoveQuery, StackPath } from './schema.ts'

export default endpoint({
  summary: 'Delete a stack',
  description:
    'Removes its containers and networks, its volumes only with `volumes`, then its files and deployments. ' +
    'A volume that an earlier stack of its name left goes too if you deleted that stack or have `stacks:privileged`. It stays if the files call it external or do not load. ' +
    'If its host cannot be reached, or the service itself runs in the stack, `force` forgets it: only the records of the service are deleted, and its containers, networks, volumes and files stay on the host.',
  access: 'stacks:delete',
  atService: true,
  takesIfMatch: true,
  path: StackPath,
  query: RemoveQuery,
  returns: RemovedStack.optional(),
  status: 204,
  otherResponses: { 200: 'It is deleted, with warnings: for example, a volume stays' },
  noTimeout: true,
  errors: {
    404: 'No stack has that name',
    409: 'A deployment of the stack is running',
  },

  async run({ path, query, caller, ifMatch }, ports: DeployPorts & Needs<'hosts'>) {
    const stack = await getStack(path.name, ports)
    ifMatch.check(stack.contentRevision)
    if (query.force && (await isUntouchable(stack, ports))) {
      await forgetStack(stack, caller, ports)
      return undefined
    }
    const { environment, profiles } = stack
    const files = stack.written ?? stack.files
    const options = { ...plainOptions, volumes: query.volumes }
    const what = { kind: 'remove' as const, stack, files, environment, profiles }
    const asker = { accountId: caller.account.id, remover: removerOf(caller) }
    const revision = ifMatch.namesVersions ? stack.contentRevision : undefined
    const request = { ...what, options, reach, ...asker, revision }
    const { finished } = await startDeployment(request, caller.account, ports)
    const { deployment, reason } = await finished
    if (deployment.status !== 'succeeded') {
      throw internalError(`stack ${path.name}: ${deployment.error}`, reason && { reason })
    }
    const { warnings = [] } = deployment
    return warnings.length === 0 ? undefined : new Reply({ warnings }, { status: 200 })
  },
})

/** Returns whether the service cannot remove the containers of a stack. */
const isUntouchable = async ({ id, hostId }: StackRecord, ports: UntouchablePorts) =>
  (await isUnreachable(hostId, ports)) || isOwnStack(id, await ports.engines.on(hostId))

type UntouchablePorts = Needs<'clock' | 'engines' | 'hosts'>

/** Permission to delete a stack is enough, whatever its files access. */
const reach = 'host' as const
