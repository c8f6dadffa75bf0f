import { z } from 'zod'
import { hostNames } from '../../core/hosts/host-names.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { flag, nextHeader, RangeQuery, rangeOf } from '../../kit/params.ts'
import { paged } from '../../kit/reply.ts'
import { Deployment } from '../deployment-schema.ts'
import { DeploymentKind, DeploymentStatus, StackPath } from '../schema.ts'
import { deploymentView } from '../view.ts'

const cap = 200

export default endpoint({
  summary: 'List the deployments of a stack',
  description: 'Deploys, stops and restarts, newest first.',
  access: 'stacks:read',
  path: StackPath,
  query: RangeQuery.extend({
    status: DeploymentStatus.optional().describe('Only deployments with this status'),
    kind: DeploymentKind.optional().describe('Only deployments of this kind'),
    steps: flag.default(true).meta({
      description:
        'With `false`, `steps` of each deployment is an empty list: a response of a tenth of the size. Each deployment has its steps when it is read alone',
    }),
  }),
  returns: z.array(Deployment).max(cap),
  responseHeaders: nextHeader,
  errors: { 404: 'No stack has that name' },

  async run({ path, query }, ports: Needs<'stacks' | 'hosts' | 'deployments'>) {
    await getStack(path.name, ports)
    const { status, kind } = query
    const found = await ports.deployments.listByStack(path.name, cap + 1, {
      ...rangeOf(query),
      where: (one) =>
        (status === undefined || one.status === status) &&
        (kind === undefined || one.kind === kind),
    })
    const shown = query.steps ? found : found.map((one) => ({ ...one, steps: [] }))
    const nameOf = await hostNames(ports)
    return paged(
      shown.map((one) => deploymentView(one, nameOf)),
      cap,
    )
  },
})
