import { notFound } from '../../core/errors.ts'
import { stackLog } from '../../core/feeds/stack-log.ts'
import type { Needs } from '../../core/ports.ts'
import { getStack } from '../../core/stacks/locate.ts'
import { feed, ready } from '../../kit/feed.ts'
import { StackLogMessage, StackLogQuery, StackPath } from '../schema.ts'

export default feed({
  summary: 'Follow the log of a stack',
  description:
    'Sends past lines of all its containers, or of one service, in chronological order, then new ones, also from containers that a ' +
    'deploy recreates or that start again. A message reports that a container ended; the feed ends when the stack is deleted.',
  access: 'stacks:read',
  path: StackPath,
  query: StackLogQuery,
  sends: StackLogMessage,
  fails: { 404: 'No stack or service has that name' },

  async *run(
    { path, query, signal },
    ports: Needs<'stacks' | 'hosts' | 'engines' | 'streams' | 'clock'>,
  ) {
    const { id: stack, hostId, services } = await getStack(path.name, ports)
    const engine = await ports.engines.on(hostId)
    if (query.service !== undefined && !Object.hasOwn(services, query.service)) {
      throw notFound(`stack ${path.name}: it has no service ${query.service}`)
    }
    yield ready
    yield* stackLog({ ...query, engine, hostId, stack }, ports, signal)
  },
})
