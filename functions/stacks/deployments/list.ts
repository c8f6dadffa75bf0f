import { z } from 'zod'
import type { Needs } from '../../core/ports.ts'
import { getStack } from '../../core/stacks/locate.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { capped } from '../../kit/reply.ts'
import { Deployment } from '../deployment-schema.ts'
import { StackPath } from '../schema.ts'
import { deploymentView } from '../view.ts'

const cap = 200

export default endpoint({
  summary: 'List the deployments of a stack',
  description: 'Deploys, stops and restarts, newest first.',
  access: 'stacks:read',
  path: StackPath,
  returns: z.array(Deployment).max(cap),
  fails: { 404: 'No stack has that name' },

  async run({ path }, ports: Needs<'stacks' | 'hosts' | 'deployments'>) {
    await getStack(path.name, ports)
    const found = await ports.deployments.listByStack(path.name, cap + 1)
    return capped(found.map(deploymentView), cap)
  },
})
