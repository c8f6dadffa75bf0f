import type { DeployPorts } from '../../core/deploy/request.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../../kit/wait.ts'
import { Deployment } from '../deployment-schema.ts'
import { ServicePath, StopServiceBody } from './schema.ts'
import { changeService } from './service-verb.ts'

export default endpoint({
  summary: 'Restart a service',
  description:
    'Restarts the containers of the service, also stopped ones, and those of services that depend on it with `restart: true`. No container is recreated: changed files take effect with the next deploy.',
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
      kind: 'restart' as const,
      path,
      wait: query.wait,
      caller,
      trail,
      timeoutSeconds: body.timeout_seconds,
    }
    return changeService(request, ports)
  },
})
