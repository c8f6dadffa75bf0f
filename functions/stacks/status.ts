import { z } from 'zod'
import type { Needs } from '../core/ports.ts'
import { getStack } from '../core/stacks/locate.ts'
import { serviceStatuses } from '../core/stacks/service-status.ts'
import { endpoint } from '../kit/endpoint.ts'
import { ServiceStatus, StackPath } from './schema.ts'

export default endpoint({
  summary: 'Show the services of a stack',
  description:
    'Returns an entry for each container, and one with the state `missing` for a service without containers.',
  access: 'stacks:read',
  path: StackPath,
  returns: z.array(ServiceStatus).max(1000),
  fails: { 404: 'No stack has that name' },

  async run({ path }, ports: Needs<'stacks' | 'hosts' | 'engines'>) {
    const stack = await getStack(path.name, ports)
    const engine = await ports.engines.on(stack.hostId)
    const containers = await engine.projectContainers(stack.id)
    return serviceStatuses(stack.services, containers, await engine.runs(containers))
  },
})
