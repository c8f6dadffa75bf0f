import { startDeployment } from '../core/deploy/deploy.ts'
import { type DeployPorts, plainOptions } from '../core/deploy/request.ts'
import { internalError } from '../core/errors.ts'
import { isUnreachable } from '../core/hosts/is-unreachable.ts'
import { isOwnStack } from '../core/owners/refuse-installation.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { StackRecord } from '../core/records/stack.ts'
import { forgetStack } from '../core/stacks/forget-stack.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { RemoveQuery, StackPath } from './schema.ts'

export default endpoint({
  summary: 'Delete a stack',
  description:
    'Removes its containers and networks, its volumes only with `volumes`, then its files and deployments. ' +
    'If its host cannot be reached, or the service itself runs in the stack, `force` forgets it: only the records of the service are deleted, and its containers, networks, volumes and files stay on the host.',
  access: 'stacks:delete',
  atService: true,
  path: StackPath,
  query: RemoveQuery,
  noTimeout: true,
  errors: {
    404: 'No stack has that name',
    409: 'A deployment of the stack is running',
  },

  async run({ path, query, caller }, ports: DeployPorts & Needs<'hosts'>) {
    const stack = await getStack(path.name, ports)
    if (query.force && (await isUntouchable(stack, ports))) {
      await forgetStack(stack, caller, ports)
      return undefined
    }
    const { environment, profiles } = stack
    const files = stack.written ?? stack.files
    const options = { ...plainOptions, volumes: query.volumes }
    const request = { kind: 'remove' as const, stack, files, environment, profiles, options, reach }
    const { finished } = await startDeployment(request, caller.account, ports)
    const { deployment, reason } = await finished
    if (deployment.status !== 'succeeded') {
      throw internalError(`stack ${path.name}: ${deployment.error}`, reason && { reason })
    }
    return undefined
  },
})

/** Returns whether the service cannot remove the containers of a stack. */
const isUntouchable = async ({ id, hostId }: StackRecord, ports: UntouchablePorts) =>
  (await isUnreachable(hostId, ports)) || isOwnStack(id, await ports.engines.on(hostId))

type UntouchablePorts = Needs<'clock' | 'engines' | 'hosts'>

/** Permission to delete a stack is enough, whatever its files access. */
const reach = 'host' as const
