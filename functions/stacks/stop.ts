import type { Needs } from '../core/ports.ts'
import { plainOptions } from '../core/stacks/order.ts'
import type { RunPorts } from '../core/stacks/run.ts'
import { endpoint } from '../kit/endpoint.ts'
import { carryOut } from './carry-out.ts'
import { Stack, StackPath } from './schema.ts'

export default endpoint({
  summary: 'Stop a stack',
  description: 'Removes its containers in reverse dependency order. Volumes and networks are kept.',
  access: 'stacks:deploy',
  path: StackPath,
  returns: Stack,
  waits: true,
  beginsWithLease: true,
  fails: { 404: 'No stack has that name', 409: 'A deployment of the stack is running' },

  run({ path, caller, end }, ports: RunPorts & Needs<'hosts'>) {
    return carryOut('stop', path.name, plainOptions, { caller, end }, ports)
  },
})
