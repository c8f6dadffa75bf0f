import { statsSource } from '../core/feeds/container-stats.ts'
import { getContainerId } from '../core/hosts/container-id.ts'
import { targetHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports/ports.ts'
import { feed } from '../kit/feed.ts'
import { ready } from '../kit/feed-facts.ts'
import { HostQuery } from '../kit/params.ts'
import { ContainerPath, StatsMessage } from './schema.ts'

export default feed({
  summary: 'Follow the resource usage of a container',
  description:
    'Sends processor, memory, network and disk usage about once a second, as in `docker stats`. Ends when the container stops, ' +
    'with a last message with the exit code, which is the only message if the container is not running.',
  access: 'containers:read',
  path: ContainerPath,
  query: HostQuery,
  sends: StatsMessage,
  errors: { 404: 'No container or host has that id' },

  async *run({ path, query, caller }, ports: Needs<'hosts' | 'engines' | 'streams'>) {
    const host = await targetHost(query.host, caller, ports)
    const engine = await ports.engines.on(host.id)
    const id = await getContainerId(engine, path.id)
    yield ready
    // Ends this function: the opener forwards the rest, so an open feed holds no generator.
    return ports.streams.subscribe(`stats ${host.id} ${id}`, statsSource(engine, id))
  },
})
