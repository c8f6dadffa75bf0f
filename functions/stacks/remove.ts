import { broken } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { getStack } from '../core/stacks/locate.ts'
import { plainOptions } from '../core/stacks/order.ts'
import { removeStack } from '../core/stacks/remove.ts'
import type { RunPorts } from '../core/stacks/run.ts'
import { endpoint } from '../kit/endpoint.ts'
import { RemoveQuery, StackPath } from './schema.ts'

export default endpoint({
  summary: 'Delete a stack',
  description:
    'Removes its containers and networks, its volumes only with `volumes`, then its files and deployments.',
  access: 'stacks:delete',
  path: StackPath,
  query: RemoveQuery,
  waits: true,
  fails: {
    404: 'No stack has that name',
    409: 'A deployment of the stack is running',
  },

  async run({ path, query, caller }, ports: RunPorts & Needs<'hosts'>) {
    const stack = await getStack(path.name, ports)
    const options = { ...plainOptions, volumes: query.volumes }
    const ended = await removeStack(stack, options, caller.account.username, ports)
    if (ended.status !== 'succeeded') throw broken(`stack ${path.name}: ${ended.error}`)
    return undefined
  },
})
