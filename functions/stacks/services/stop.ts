import type { DeployPorts } from '../../core/deploy/request.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../../kit/wait.ts'
import { Deployment } from '../deployment-schema.ts'
import { ServicePath, StopServiceBody } from './schema.ts'
import { changeService } from './service-verb.ts'

export default endpoint({
  summary: 'Stop a service',
  description:
    'Stops the containers of the service and keeps them. Services that depend on it continue. To stop the whole stack, use `POST /stacks/{name}/stop`.',
  access: 'stacks:deploy',
  atService: true,
  path: ServicePath,
  query: WaitQuery,
  body: StopServiceBody.default({}),
  returns: Deployment,
  otherResponses: { 202: 'With wait=false: the deployment has started' },
  responseHeaders: operationHeaders(200),
  noTimeout: true,
  beginsWithLease: true,
  errors: {
    404: 'No stack or service has that name',
    409: 'A deployment of the stack is running',
  },

  run({ path, query, body, caller, trail }, ports: DeployPorts & Needs<'hosts'>) {
    const request = {
      kind: 'stop' as const,
      path,
      wait: query.wait,
      caller,
      trail,
      timeoutSeconds: body.timeout_seconds,
    }
    return changeService(request, ports)
  },
})
