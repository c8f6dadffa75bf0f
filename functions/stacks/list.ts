import { z } from 'zod'
import { targetHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports.ts'
import { conditionsOf } from '../core/stacks/condition.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { Stack, StacksQuery } from './schema.ts'
import { stackView } from './view.ts'

export default endpoint({
  summary: 'List stacks',
  description: 'Lists the stacks of every host in your scope or of one host, sorted by name.',
  access: 'stacks:read',
  query: StacksQuery,
  returns: z.array(Stack).max(1000),
  fails: { 404: 'No host has that id' },

  async run({ query, caller }, ports: Needs<'stacks' | 'hosts' | 'engines' | 'clock'>) {
    const all = query.host === undefined || query.host === 'all'
    const host = all ? undefined : await targetHost(query.host, caller, ports)
    const stacks = (await ports.stacks.list()).filter((one) => !host || one.hostId === host.id)
    const conditions = await conditionsOf(stacks, ports)
    return capped(
      stacks.map((stack, index) => stackView(stack, conditions[index]!)),
      1000,
    )
  },
})
