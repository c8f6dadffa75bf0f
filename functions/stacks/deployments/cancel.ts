import { cancelDeployment } from '../../core/deploy/cancel.ts'
import { hostNames } from '../../core/hosts/host-names.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { operationHeaders } from '../../kit/wait.ts'
import { Deployment } from '../deployment-schema.ts'
import { DeploymentPath } from '../schema.ts'
import { acceptedDeployment } from '../view.ts'

export default endpoint({
  summary: 'Cancel a deployment',
  description:
    'Works for every kind of deployment. About a second later, no further step starts: pulls, builds and waits are aborted, other steps finish. ' +
    'The deployment then ends as `interrupted`, with the error `cancelled by` and the user; what its steps did stays. ' +
    'If its last step has already begun, it ends as usual. You can repeat the request while the deployment runs.',
  access: 'stacks:deploy',
  path: DeploymentPath,
  returns: Deployment,
  status: 202,
  responseHeaders: operationHeaders(),
  errors: {
    404: 'No stack or deployment has that name',
    409: 'The deployment has ended',
  },

  async run({ path, caller }, ports: Needs<'stacks' | 'hosts' | 'deployments' | 'clock'>) {
    await getStack(path.name, ports)
    const { username } = caller.account
    const nameOf = await hostNames(ports)
    const cancelled = await cancelDeployment(path.name, path.id, username, ports)
    return acceptedDeployment(cancelled, nameOf)
  },
})
