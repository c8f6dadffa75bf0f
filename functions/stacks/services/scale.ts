import { deploysStacks, reachOf } from '../../core/access/reach.ts'
import type { DeployPorts } from '../../core/deploy/request.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../../kit/wait.ts'
import { Deployment } from '../deployment-schema.ts'
import { ScaleBody, ServicePath } from './schema.ts'
import { changeService } from './service-verb.ts'

export default endpoint({
  summary: 'Scale a service',
  description:
    'Creates or removes containers of the service until it has this many, and brings up what it depends on. ' +
    'It uses the files of the last deploy: those of a newer revision wait for the next one. The number is kept until then; ' +
    'a deploy sets the service to what the compose file says, with a warning.',
  access: 'stacks:deploy',
  atService: true,
  path: ServicePath,
  query: WaitQuery,
  body: ScaleBody,
  returns: Deployment,
  otherResponses: { 202: 'With wait=false: the deployment has started' },
  responseHeaders: operationHeaders(200),
  noTimeout: true,
  beginsWithLease: true,
  errors: {
    404: 'No stack or service has that name',
    409: 'A deployment of the stack is running, an image moved on the host, the files refer to what an account that saved them may not use, or another container has a name or port that it needs',
    422: 'The service cannot have more than one container, the stack would have too many, or its files do not load',
  },

  run({ path, query, body, caller, trail }, ports: DeployPorts & Needs<'hosts'>) {
    const { replicas } = body
    const how = { reach: reachOf(caller), mayDeploy: deploysStacks(caller, ports), replicas }
    const request = { kind: 'scale' as const, path, wait: query.wait, caller, trail, ...how }
    return changeService(request, ports)
  },
})
