import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { getStack } from '../core/stacks/locate.ts'
import { mergedLogs } from '../core/stacks/logs.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Reply } from '../kit/reply.ts'
import { StackLogLine, StackLogsQuery, StackPath } from './schema.ts'

const cap = 1000

export default endpoint({
  summary: 'Read the last log lines of a stack',
  description: 'The lines of all its containers, or of one service, in chronological order.',
  access: 'stacks:read',
  path: StackPath,
  query: StackLogsQuery,
  returns: z.array(StackLogLine).max(cap),
  fails: { 404: 'No stack or service has that name' },

  async run({ path, query }, ports: Needs<'stacks' | 'hosts' | 'engines'>) {
    const stack = await getStack(path.name, ports)
    const engine = await ports.engines.on(stack.hostId)
    if (query.service !== undefined && !Object.hasOwn(stack.services, query.service)) {
      throw notFound(`stack ${path.name}: it has no service ${query.service}`)
    }
    const lines = await mergedLogs(stack.id, engine, query)
    if (lines.length <= cap) return lines
    return new Reply(lines.slice(-cap), { headers: { 'X-Result-Truncated': 'true' } })
  },
})
