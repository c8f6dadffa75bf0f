import type { Needs } from '../core/ports.ts'
import { plainOptions } from '../core/stacks/order.ts'
import type { RunPorts } from '../core/stacks/run.ts'
import { endpoint } from '../kit/endpoint.ts'
import { carryOut } from './carry-out.ts'
import { RestartOrder } from './deployment-schema.ts'
import { Stack, StackPath } from './schema.ts'

export default endpoint({
  summary: 'Restart the services of a stack',
  description:
    'Restarts all services, or the named ones, in dependency order. No container is recreated.',
  access: 'stacks:deploy',
  path: StackPath,
  body: RestartOrder.default({}),
  returns: Stack,
  waits: true,
  beginsWithLease: true,
  fails: { 404: 'No stack or service has that name', 409: 'A deployment of the stack is running' },

  run({ path, body, caller, end }, ports: RunPorts & Needs<'hosts'>) {
    const options = { ...plainOptions, services: body.services ?? [] }
    return carryOut('restart', path.name, options, { caller, end }, ports)
  },
})
