import { deploysStacks, reachOf } from '../../core/access/reach.ts'
import type { DeployPorts } from '../../core/deploy/request.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../../kit/wait.ts'
import { Deployment } from '../deployment-schema.ts'
import { BuildServiceBody, ServicePath } from './schema.ts'
import { changeService } from './service-verb.ts'

export default endpoint({
  summary: 'Build the image of a service',
  description:
    'Writes the files of the stack to its host, then builds the image even if the host has it, under the rules of a deploy. Containers keep their image until the next deploy. For a service without `build` the deployment has a warning.',
  access: 'stacks:deploy',
  atService: true,
  path: ServicePath,
  query: WaitQuery,
  body: BuildServiceBody.default({}),
  returns: Deployment,
  otherResponses: { 202: 'With wait=false: the deployment has started' },
  responseHeaders: operationHeaders(200),
  noTimeout: true,
  beginsWithLease: true,
  errors: {
    404: 'No stack or service has that name',
    409: 'A deployment of the stack is running, another stack builds an image of that name, files were edited on the host, or they refer to what an account that saved them may not use',
    422: 'The files do not load',
  },

  run({ path, query, body, caller, trail }, ports: DeployPorts & Needs<'hosts'>) {
    const how = { reach: reachOf(caller), mayDeploy: deploysStacks(caller, ports) }
    const { no_cache: noCache = false } = body
    const request = {
      kind: 'build' as const,
      path,
      wait: query.wait,
      caller,
      trail,
      noCache,
      ...how,
    }
    return changeService(request, ports)
  },
})
