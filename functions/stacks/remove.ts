import { startDeployment } from '../core/deploy/deploy.ts'
import { type DeployPorts, plainOptions } from '../core/deploy/request.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import { isUnreachable } from '../core/hosts/is-unreachable.ts'
import { removerOf } from '../core/owners/left-volumes.ts'
import { isOwnStack } from '../core/owners/refuse-installation.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { StackRecord } from '../core/records/stack.ts'
import { forgetStack } from '../core/stacks/forget-stack.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { ended, operationFailure, operationHeaders } from '../kit/wait.ts'
import { Deployment } from './deployment-schema.ts'
import { stackEdition } from './edition.ts'
import { RemovedStack, RemoveQuery, StackPath } from './schema.ts'
import { acceptedDeployment } from './view.ts'

export default endpoint({
  summary: 'Delete a stack',
  description:
    'Removes its containers and networks, its volumes only with `volumes`, then its files and deployments. ' +
    'A volume that an earlier stack of its name left goes too if you deleted that stack or have `stacks:privileged`. It stays if the files call it external or do not load. ' +
    'If its host cannot be reached, or the service itself runs in the stack, `force` forgets it: only the records of the service are deleted, and its containers, networks, volumes and files stay on the host. ' +
    'With wait=false, the deployment at `Location` is `running` until the stack is deleted, and then 404: its deployments are deleted with it. The audit log then has a row with the id of the deployment. If the removal fails, the stack stays, and the deployment says why. A stack that is only forgotten is answered with 204 also then.',
  access: 'stacks:delete',
  atService: true,
  takesIfMatch: true,
  path: StackPath,
  query: RemoveQuery,
  returns: RemovedStack.optional(),
  accepts: Deployment,
  status: 204,
  otherResponses: {
    200: 'It is deleted, with warnings: for example, a volume stays',
    202: 'With wait=false: the deployment that removes it has started',
  },
  responseHeaders: {
    ...operationHeaders(200, 204, 500),
    'X-Operation-Id': {
      description: 'Id of the deployment that removed it. Absent if `force` only forgot the stack',
      statuses: [200, 202, 204, 500],
    },
  },
  noTimeout: true,
  errors: {
    404: 'No stack has that name',
    409: 'A deployment of the stack is running, or the stack was deleted and created again meanwhile',
  },

  async run({ path, query, caller, ifMatch, trail }, ports: DeployPorts & Needs<'hosts'>) {
    const stack = await getStack(path.name, ports)
    ifMatch.check(stackEdition(stack))
    const revision = ifMatch.namesVersions ? stack.contentRevision : undefined
    if (query.force && (await isUntouchable(stack, ports))) {
      await forgetStack(stack, revision, caller, ports)
      return undefined
    }
    const { environment, profiles } = stack
    const files = stack.written ?? stack.files
    const options = { ...plainOptions, volumes: query.volumes }
    const what = { kind: 'remove' as const, stack, files, environment, profiles }
    const asker = { accountId: caller.account.id, remover: removerOf(caller) }
    const later = { trail: query.wait ? undefined : trail() }
    const request = { ...what, options, reach, ...asker, revision, ...later }
    const started = await startDeployment(request, caller.account, ports)
    if (!query.wait) {
      await started.startRecorded()
      return acceptedDeployment(started.deployment, await hostNames(ports))
    }
    const { deployment, reason } = await started.finished
    const { id, status, error, warnings = [] } = deployment
    if (status !== 'succeeded')
      throw operationFailure(id, 500, `stack ${path.name}: ${error}`, reason && { reason })
    return warnings.length === 0
      ? ended(undefined, { id })
      : ended({ warnings }, { id, status: 200 })
  },
})

/** Returns whether the service cannot remove the containers of a stack. */
const isUntouchable = async ({ id, hostId }: StackRecord, ports: UntouchablePorts) =>
  (await isUnreachable(hostId, ports)) || isOwnStack(id, await ports.engines.on(hostId))

type UntouchablePorts = Needs<'clock' | 'engines' | 'hosts'>

/** Permission to delete a stack is enough, whatever its files access. */
const reach = 'host' as const
