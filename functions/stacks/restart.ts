import type { DeployPorts } from '../core/deploy/request.ts'
import { plainOptions } from '../core/deploy/request.ts'
import type { ObservePorts } from '../core/states/observe-host.ts'
import { endpoint } from '../kit/endpoint.ts'
import { RestartBody } from './deployment-schema.ts'
import { Stack, StackPath } from './schema.ts'
import { stopOrRestart } from './stop-or-restart.ts'

export default endpoint({
  summary: 'Restart the services of a stack',
  description:
    'Restarts all services, or the named ones, in dependency order. No container is recreated.',
  access: 'stacks:deploy',
  atService: true,
  path: StackPath,
  body: RestartBody.default({}),
  returns: Stack,
  noTimeout: true,
  beginsWithLease: true,
  errors: { 404: 'No stack or service has that name', 409: 'A deployment of the stack is running' },

  run({ path, body, caller }, ports: DeployPorts & ObservePorts) {
    const { services = [], timeout_seconds: timeout } = body
    const timed = timeout === undefined ? {} : { timeoutSeconds: timeout }
    const options = { ...plainOptions, services, ...timed }
    return stopOrRestart('restart', path.name, options, caller, ports)
  },
})
