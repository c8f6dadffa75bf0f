import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { getStack } from '../core/stacks/locate.ts'
import { mergedLogs, requireServices } from '../core/stacks/logs.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { StackLogLine, StackLogsQuery, StackPath } from './schema.ts'

const cap = 1000

export default endpoint({
  summary: 'Read the last log lines of a stack',
  description: 'The lines of all its containers, or of some services, in chronological order.',
  access: 'stacks:read',
  path: StackPath,
  query: StackLogsQuery,
  returns: z.array(StackLogLine).max(cap),
  errors: { 404: 'No stack or service has that name' },

  async run({ path, query }, ports: Needs<'stacks' | 'hosts' | 'engines'>) {
    const stack = await getStack(path.name, ports)
    const engine = await ports.engines.on(stack.hostId)
    requireServices(stack, query.service)
    const lines = await mergedLogs(stack.id, engine, query)
    return capped(lines, cap, 'last')
  },
})
