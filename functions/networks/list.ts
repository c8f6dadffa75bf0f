import type { z } from 'zod'
import type { NetworkSummary } from '../core/engine/engine.ts'
import { listOverHosts, placedList } from '../core/hosts/fan-out.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { overHosts, overHostsSchema } from '../kit/fan-out.ts'
import { HostsQuery } from '../kit/params.ts'
import { Network } from './schema.ts'

const view = placedList<NetworkSummary, z.input<typeof Network>>(
  ({ createdAt, ...rest }, place) => ({ ...rest, created_at: createdAt, ...place }),
)

export default endpoint({
  summary: 'List networks',
  description: 'Of one host or of all, by name.',
  access: 'networks:read',
  query: HostsQuery,
  returns: overHostsSchema(Network, 1000),
  fails: { 404: 'No host has that id' },

  async run({ query, caller }, ports: Needs<'hosts' | 'engines' | 'clock'>) {
    const found = await listOverHosts(query.host, caller, ports, async (engine, host) =>
      view(await engine.networks(), host),
    )
    return overHosts(found, 1000)
  },
})
