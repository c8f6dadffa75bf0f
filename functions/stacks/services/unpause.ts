import type { DeployPorts } from '../../core/deploy/request.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../../kit/wait.ts'
import { Deployment } from '../deployment-schema.ts'
import { ServicePath } from './schema.ts'
import { changeService } from './service-verb.ts'

export default endpoint({
  summary: 'Unpause a service',
  description: 'Lets its paused containers continue. Other containers stay as they are.',
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
    409: 'A deployment of the stack is running',
  },

  run({ path, query, caller, trail }, ports: DeployPorts & Needs<'hosts'>) {
    const request = { kind: 'unpause' as const, path, wait: query.wait, caller, trail }
    return changeService(request, ports)
  },
})
