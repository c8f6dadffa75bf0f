import { z } from 'zod'
import { must } from '../compose/must.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import { targetHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports/ports.ts'
import { type SetPorts, setChanges } from '../core/stacks/taken-sets.ts'
import type { ObservePorts } from '../core/states/observe-host.ts'
import { stackStates } from '../core/states/stack-states.ts'
import { endpoint } from '../kit/endpoint.ts'
import { nextByNameHeader } from '../kit/params.ts'
import { asReply, pagedByName, Reply } from '../kit/reply.ts'
import { Stack, StacksQuery } from './schema.ts'
import { stackView } from './view.ts'

export default endpoint({
  summary: 'List stacks',
  description: 'Lists the stacks of every host in your scope or of one host, sorted by name.',
  access: 'stacks:read',
  atService: true,
  query: StacksQuery,
  returns: z.array(Stack).max(1000),
  responseHeaders: nextByNameHeader,
  errors: { 404: 'No host has that id or name' },

  async run({ query, caller }, ports: Needs<'stacks'> & SetPorts & ObservePorts) {
    const all = query.host === undefined || query.host === 'all'
    const host = all ? undefined : await targetHost(query.host, caller, ports)
    const stacks = (await ports.stacks.list()).filter((one) => !host || one.hostId === host.id)
    const { value, ...options } = asReply(
      pagedByName(stacks, { cap: 1000, nameOf: ({ id }) => id, after: query.after }),
    )
    const states = await stackStates(value, ports)
    const nameOf = await hostNames(ports)
    const hasChanges = await setChanges(value, ports)
    const shown = value.map((stack, index) =>
      stackView(stack, must(states[index], 'state of the stack'), nameOf, hasChanges),
    )
    return new Reply(shown, options)
  },
})
