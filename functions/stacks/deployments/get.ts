import { notFound } from '../../core/errors.ts'
import { hostNames } from '../../core/hosts/host-names.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { Deployment } from '../deployment-schema.ts'
import { DeploymentPath } from '../schema.ts'
import { deploymentView } from '../view.ts'

export default endpoint({
  summary: 'Show a deployment',
  description: 'Includes its steps and their progress.',
  access: 'stacks:read',
  path: DeploymentPath,
  returns: Deployment,
  errors: { 404: 'No stack or deployment has that name' },

  async run({ path }, ports: Needs<'stacks' | 'hosts' | 'deployments'>) {
    await getStack(path.name, ports)
    const deployment = await ports.deployments.find(path.name, path.id)
    if (!deployment) throw notFound(`stack ${path.name}: it has no deployment ${path.id}`)
    return deploymentView(deployment, await hostNames(ports))
  },
})
