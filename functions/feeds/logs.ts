import { awaitOpening } from '../core/feeds/await-opening.ts'
import { followLog, requireReadableLog } from '../core/feeds/follow-log.ts'
import { timedMessages } from '../core/feeds/log-chunk.ts'
import { getContainerId } from '../core/hosts/container-id.ts'
import { targetHost } from '../core/hosts/target.ts'
import { checkContainer } from '../core/owners/container-owner.ts'
import type { Needs } from '../core/ports/ports.ts'
import { feed } from '../kit/feed.ts'
import { ready } from '../kit/feed-facts.ts'
import { feedLines } from '../kit/params.ts'
import { ContainerPath, LogMessage, LogQuery } from './schema.ts'

export default feed({
  summary: 'Follow the log of a container',
  description:
    'Sends past lines, then new ones. As with `docker logs --follow`, the feed ends when the container stops, also for a restart, with ' +
    'a last message with the exit code, and close code 1000.',
  access: 'containers:read',
  path: ContainerPath,
  query: LogQuery,
  sends: LogMessage,
  errors: {
    403: 'It is a part of the service, and the caller may not change settings',
    404: 'No container or host has that id',
    409: 'The log driver of the container does not support reading',
  },

  async *run({ path, query, caller }, ports: Needs<'hosts' | 'engines' | 'streams' | 'clock'>) {
    const host = await targetHost(query.host, caller, ports)
    const engine = await ports.engines.on(host.id)
    const id = await getContainerId(engine, path.id)
    await checkContainer('logs', id, caller, engine)
    const wish = { ...query, tail: feedLines(query), engine, id, key: `log ${host.id} ${id}` }
    await awaitOpening(requireReadableLog(wish, ports), ports.clock)
    yield ready
    // Ends this function: the opener forwards the rest, so an open feed holds no generator.
    const log = await followLog(wish, ports)
    return query.times ? timedMessages(log) : log
  },
})
