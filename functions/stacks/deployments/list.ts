import { z } from 'zod'
import { hostNames } from '../../core/hosts/host-names.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { RangeQuery, rangeOf } from '../../kit/params.ts'
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
  query: RangeQuery,
  returns: z.array(Deployment).max(cap),
  errors: { 404: 'No stack has that name' },

  async run({ path, query }, ports: Needs<'stacks' | 'hosts' | 'deployments'>) {
    await getStack(path.name, ports)
    const found = await ports.deployments.listByStack(path.name, cap + 1, rangeOf(query))
    const nameOf = await hostNames(ports)
    return capped(
      found.map((one) => deploymentView(one, nameOf)),
      cap,
    )
  },
})
