import { notFound } from '../../core/errors.ts'
import { hostNames } from '../../core/hosts/host-names.ts'
import type { Needs } from '../../core/ports/ports.ts'
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
      if (!(await ports.stacks.find(path.name))) throw noStackLeft(path.name)
      const deployment = await ports.deployments.find(path.name, path.id)
      if (!deployment) throw notFound(`stack ${path.name}: it has no deployment ${path.id}`)
      return deployment
    }
    const waiting = { caller, access: 'stacks:read' as const, signal }
    const deployment = await readEnded(read, query, waiting, ports)
    return deploymentView(deployment, await hostNames(ports))
  },
})

/** The same whether there was such a stack or not: callers do not learn names of other scopes. */
const noStackLeft = (name: string) =>
  notFound(
    `stack ${name}: there is no such stack. If this deployment was to delete it, it is deleted, and its deployments with it: GET /audit?action=stacks.delete has a row with the id of the deployment`,
  )

type Ports = WaitPorts & Needs<'deployments' | 'hosts' | 'stacks'>
