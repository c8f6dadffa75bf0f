import { awaitOpening } from '../../core/feeds/await-opening.ts'
import { openStackLog } from '../../core/feeds/stack-log.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { requireServices } from '../../core/stacks/logs.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { feed } from '../../kit/feed.ts'
import { ready } from '../../kit/feed-facts.ts'
import { feedLines } from '../../kit/params.ts'
import { StackLogMessage, StackLogQuery, StackPath } from '../schema.ts'

export default feed({
  summary: 'Follow the log of a stack',
  description:
    'Sends past lines of all its containers, or of some services, in chronological order, then new ones, also from containers that a ' +
    'deploy recreates or that start again. A message reports that a container ended; the feed ends when the stack is deleted. A message ' +
    'with `error` says why the log of a container cannot be read, such as with the log driver `none`; the others go on.',
  access: 'stacks:read',
  path: StackPath,
  query: StackLogQuery,
  sends: StackLogMessage,
  errors: {
    404: 'No stack or service has that name',
    409: 'The log drivers of all the containers do not support reading',
  },

  async *run(
    { path, query, caller, signal },
    ports: Needs<'stacks' | 'hosts' | 'engines' | 'streams' | 'clock' | 'callerLimiter'>,
  ) {
    const { id, services, hostId } = await getStack(path.name, ports)
    const stack = { id, services }
    const engine = await ports.engines.on(hostId)
    requireServices(stack, query.service)
    const log = openStackLog(
      { ...query, tail: feedLines(query), caller, engine, hostId, stack },
      ports,
      signal,
    )
    await awaitOpening(log, ports.clock)
    yield ready
    yield* await log
  },
})
