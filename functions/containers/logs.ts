import { z } from 'zod'
import { targetEngine } from '../core/hosts/target.ts'
import { checkContainer } from '../core/owners/container-owner.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { linesToRead, logLinesMax } from '../kit/params.ts'
import { capped } from '../kit/reply.ts'
import { ContainerPath, LogLine, LogsQuery } from './schema.ts'

export default endpoint({
  summary: 'Read the last log lines of a container',
  access: 'containers:read',
  atService: true,
  path: ContainerPath,
  query: LogsQuery,
  returns: z.array(LogLine).max(logLinesMax),
  errors: {
    403: 'It is a part of the service, and the caller may not change settings',
    404: 'No container or host has that id',
    409: 'The log driver of the container does not support reading',
  },

  async run({ path, query, caller }, ports: Needs<'hosts' | 'engines'>) {
    const { engine } = await targetEngine(query.host, caller, ports)
    await checkContainer('logs', path.id, caller, engine)
    const { since, until } = query
    const lines = await engine.logs(path.id, { tail: linesToRead(query), since, until })
    return capped(lines, logLinesMax, 'last')
  },
})
