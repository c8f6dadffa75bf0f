import type { DeployPorts } from '../../core/deploy/request.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../../kit/wait.ts'
import { Deployment } from '../deployment-schema.ts'
import { ServicePath } from './schema.ts'
import { changeService } from './service-verb.ts'

export default endpoint({
  summary: 'Pause a service',
  description:
    'Freezes the processes of its running containers until `unpause`. Containers that are paused or do not run stay as they are; if none is left to pause and some are paused, the answer is 409, as `docker compose pause` fails.',
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
    409: 'A deployment of the stack is running, or the service is paused already',
  },

  run({ path, query, caller, trail }, ports: DeployPorts & Needs<'hosts'>) {
    const request = { kind: 'pause' as const, path, wait: query.wait, caller, trail }
    return changeService(request, ports)
  },
})
