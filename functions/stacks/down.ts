import { startDeployment } from '../core/deploy/deploy.ts'
import { type DeployPorts, plainOptions } from '../core/deploy/request.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import { entererOf } from '../core/owners/enter-as-caller.ts'
import { removerOf } from '../core/owners/left-volumes.ts'
import type { Needs } from '../core/ports/ports.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../kit/wait.ts'
import { Deployment, DownBody } from './deployment-schema.ts'
import { StackPath } from './schema.ts'
import { acceptedDeployment, endedDeployment } from './view.ts'

export default endpoint({
  summary: 'Take a stack down',
  description:
    'Removes its containers and networks and, if requested, its volumes and images. What other stacks use stays, with a warning. ' +
    'The stack, its files and its deployments stay: its status is `not_deployed` until the next deploy.',
  access: 'stacks:delete',
  atService: true,
  path: StackPath,
  query: WaitQuery,
  body: DownBody.default({}),
  returns: Deployment,
  otherResponses: { 202: 'With wait=false: the deployment has started' },
  responseHeaders: operationHeaders(200),
  noTimeout: true,
  beginsWithLease: true,
  errors: { 404: 'No stack has that name', 409: 'A deployment of the stack is running' },

  async run({ path, query, body, caller, trail }, ports: DeployPorts & Needs<'hosts'>) {
    const { volumes = false, images = 'none', timeout_seconds: timeout } = body
    const stack = await getStack(path.name, ports)
    const nameOf = await hostNames(ports)
    const { environment, profiles } = stack
    const { deployment, finished, startRecorded } = await startDeployment(
      {
        kind: 'down',
        stack,
        environment,
        profiles,
        files: stack.written ?? stack.files,
        // Permission to delete a stack is enough, whatever its files access.
        reach: 'host',
        enterer: entererOf(caller, ports),
        accountId: caller.account.id,
        remover: removerOf(caller),
        options: {
          ...plainOptions,
          volumes,
          ...(images === 'none' ? {} : { removeImages: images }),
          ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
        },
        trail: query.wait ? undefined : trail(),
      },
      caller.account,
      ports,
    )
    if (query.wait) return endedDeployment((await finished).deployment, nameOf)
    await startRecorded()
    return acceptedDeployment(deployment, nameOf)
  },
})
