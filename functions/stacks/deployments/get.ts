import { notFound } from '../../core/errors.ts'
import { hostNames } from '../../core/hosts/host-names.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { readEnded, type WaitPorts, WaitSecondsQuery } from '../../kit/wait.ts'
import { Deployment } from '../deployment-schema.ts'
import { DeploymentPath } from '../schema.ts'
import { deploymentView } from '../view.ts'

export default endpoint({
  summary: 'Show a deployment',
  description:
    'Includes its steps and their progress. With `wait_seconds` the response is sent when the deployment has ended, or after that time.',
  access: 'stacks:read',
  path: DeploymentPath,
  query: WaitSecondsQuery,
  returns: Deployment,
  noTimeout: true,
  errors: {
    404: 'No stack or deployment has that name, also once the deployment has deleted the stack',
  },

  async run({ path, query, caller, signal }, ports: Ports) {
    const read = async () => {
      await getStack(path.name, ports)
      const deployment = await ports.deployments.find(path.name, path.id)
      if (!deployment) throw notFound(`stack ${path.name}: it has no deployment ${path.id}`)
      return deployment
    }
    const waiting = { caller, access: 'stacks:read' as const, signal }
    const deployment = await readEnded(read, query, waiting, ports)
    return deploymentView(deployment, await hostNames(ports))
  },
})

type Ports = WaitPorts & Needs<'deployments' | 'hosts' | 'stacks'>
