import { z } from 'zod'
import { getHost } from '../core/hosts/target.ts'
import { hostAddress } from '../core/links/host-address.ts'
import { readLinks } from '../core/links/read-links.ts'
import type { Needs } from '../core/ports/ports.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { type ObservePorts, observeHost } from '../core/states/observe-host.ts'
import { serviceStatuses } from '../core/states/service-statuses.ts'
import { stackState } from '../core/states/stack-state.ts'
import { endpoint } from '../kit/endpoint.ts'
import { ServiceStatus, StackPath } from './schema.ts'

export default endpoint({
  summary: 'Show the services of a stack',
  description:
    'Returns an entry for each container, and one with the state `missing` for a service without containers. ' +
    '`service_state` is the same in all entries of a service.',
  access: 'stacks:read',
  atService: true,
  path: StackPath,
  returns: z.array(ServiceStatus).max(1000),
  errors: { 404: 'No stack has that name' },

  async run({ path, request }, ports: Needs<'stacks' | 'hosts' | 'addresses'> & ObservePorts) {
    const stack = await getStack(path.name, ports)
    const observation = { stacks: new Set([stack.id]), withRuns: true }
    const [host, observed] = await Promise.all([
      getHost(stack.hostId, ports),
      observeHost(stack.hostId, observation, ports),
    ])
    const state = stackState(stack, observed)
    const containers = [...state.byName.values()].flatMap(({ existing }) =>
      existing.map(({ summary }) => summary),
    )
    const address = hostAddress(host, ports, request.headers)
    const links = await readLinks(stack.hostId, containers, address, ports)
    return serviceStatuses(state, ports.clock.now()).map((row) => ({
      ...row,
      links: links.get(row.container_id ?? '') ?? [],
    }))
  },
})
