import type { DeployPorts } from '../core/deploy/request.ts'
import { plainOptions } from '../core/deploy/request.ts'
import type { ObservePorts } from '../core/states/observe-host.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Stack, StackPath } from './schema.ts'
import { stopOrRestart } from './stop-or-restart.ts'

export default endpoint({
  summary: 'Stop a stack',
  description: 'Removes its containers in reverse dependency order. Volumes and networks are kept.',
  access: 'stacks:deploy',
  atService: true,
  path: StackPath,
  returns: Stack,
  noTimeout: true,
  beginsWithLease: true,
  errors: { 404: 'No stack has that name', 409: 'A deployment of the stack is running' },

  run({ path, caller }, ports: DeployPorts & ObservePorts) {
    return stopOrRestart('stop', path.name, plainOptions, caller, ports)
  },
})
