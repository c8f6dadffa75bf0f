import { deploysStacks, reachOf } from '../../core/access/reach.ts'
import type { DeployPorts } from '../../core/deploy/request.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../../kit/wait.ts'
import { Deployment } from '../deployment-schema.ts'
import { ServicePath } from './schema.ts'
import { changeService } from './service-verb.ts'

export default endpoint({
  summary: 'Pull the image of a service',
  description:
    'Pulls it even if the host has it, under the rules of a deploy. Containers keep their image until the next deploy. An image that the service builds is not pulled; the deployment says so in `warnings`.',
  access: 'stacks:deploy',
  atService: true,
  path: ServicePath,
  query: WaitQuery,
  returns: Deployment,
  otherResponses: { 202: 'With wait=false: the deployment has started' },
  responseHeaders: operationHeaders(200),
  noTimeout: true,
  beginsWithLease: true,
  errors: {
    404: 'No stack or service has that name',
    409: 'A deployment of the stack is running, another stack builds the image, or the files refer to what an account that saved them may not use',
    422: 'The files do not load',
  },

  run({ path, query, caller, trail }, ports: DeployPorts & Needs<'hosts'>) {
    const how = { reach: reachOf(caller), mayDeploy: deploysStacks(caller, ports) }
    const request = { kind: 'pull' as const, path, wait: query.wait, caller, trail, ...how }
    return changeService(request, ports)
  },
})
