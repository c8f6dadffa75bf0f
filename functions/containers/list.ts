import type { z } from 'zod'
import type { ContainerSummary } from '../core/engine/engine.ts'
import { listOverHosts, placedList } from '../core/hosts/fan-out.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { overHosts, overHostsSchema } from '../kit/fan-out.ts'
import { Container, ContainersQuery } from './schema.ts'
import { containerView } from './view.ts'

const view = placedList<ContainerSummary, z.input<typeof Container>>(containerView)

export default endpoint({
  summary: 'List containers',
  description: 'Running ones, or with `all=true` every one, of one host or of all, by name.',
  access: 'containers:read',
  query: ContainersQuery,
  returns: overHostsSchema(Container, 1000),
  fails: { 404: 'No host has that id' },

  async run({ query, caller }, ports: Needs<'hosts' | 'engines' | 'clock'>) {
    const found = await listOverHosts(query.host, caller, ports, async (engine, host) =>
      view(await engine.containers({ all: query.all }), host),
    )
    return overHosts(found, 1000)
  },
})
