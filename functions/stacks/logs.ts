import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { mergedLogs, requireServices } from '../core/stacks/logs.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { linesToRead, logLinesMax } from '../kit/params.ts'
import { capped, withHeaders } from '../kit/reply.ts'
import { StackLogLine, StackLogsQuery, StackPath } from './schema.ts'

/** The most services that a header names. */
const unreadableMax = 50
/** Names of services can come from labels, which anyone on the host can set to anything. */
const isHeaderText = /^[\w.-]{1,128}$/

export default endpoint({
  summary: 'Read the last log lines of a stack',
  description:
    'The lines of all its containers, or of some services, in chronological order. Some log drivers, such as `none`, do not support ' +
    'reading: `X-Unreadable-Logs` names the services whose lines are missing for that reason.',
  access: 'stacks:read',
  atService: true,
  path: StackPath,
  query: StackLogsQuery,
  returns: z.array(StackLogLine).max(logLinesMax),
  responseHeaders: {
    'X-Unreadable-Logs':
      'The services with containers whose log driver does not support reading, separated by commas; at most 50. Absent if all logs were read.',
  },
  errors: {
    404: 'No stack or service has that name',
    409: 'The log drivers of all the containers do not support reading',
  },

  async run({ path, query, caller }, ports: Needs<'stacks' | 'hosts' | 'engines'>) {
    const stack = await getStack(path.name, ports)
    const engine = await ports.engines.on(stack.hostId)
    requireServices(stack, query.service)
    const { lines, unreadable } = await mergedLogs(stack, engine, caller, {
      ...query,
      tail: linesToRead(query),
    })
    const reply = capped(lines, logLinesMax, 'last')
    const names = unreadable.filter((name) => isHeaderText.test(name)).slice(0, unreadableMax)
    if (names.length === 0) return reply
    return withHeaders(reply, { 'X-Unreadable-Logs': names.join(', ') })
  },
})
