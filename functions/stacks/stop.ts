import type { DeployPorts } from '../core/deploy/request.ts'
import { plainOptions } from '../core/deploy/request.ts'
import type { ObservePorts } from '../core/states/observe-host.ts'
import { endpoint } from '../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../kit/wait.ts'
import { Deployment, StopBody } from './deployment-schema.ts'
import { Stack, StackPath } from './schema.ts'
import { stopOrRestart, timeoutOf } from './stop-or-restart.ts'

export default endpoint({
  summary: 'Stop a stack',
  description: 'Removes its containers in reverse dependency order. Volumes and networks are kept.',
  access: 'stacks:deploy',
  atService: true,
  path: StackPath,
  query: WaitQuery,
  body: StopBody.default({}),
  returns: Stack,
  accepts: Deployment,
  otherResponses: { 202: 'With wait=false: the deployment has started' },
  responseHeaders: operationHeaders(200, 500),
  noTimeout: true,
  beginsWithLease: true,
  errors: { 404: 'No stack has that name', 409: 'A deployment of the stack is running' },

  run({ path, query, body, caller, trail }, ports: DeployPorts & ObservePorts) {
    const options = { ...plainOptions, ...timeoutOf(body) }
    return stopOrRestart(
      { kind: 'stop', name: path.name, options, caller, trail: query.wait ? undefined : trail() },
      ports,
    )
  },
})
