import type { z } from 'zod'
import type { ImageSummary } from '../core/engine/engine.ts'
import { listOverHosts, placedList } from '../core/hosts/fan-out.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { overHosts, overHostsSchema } from '../kit/fan-out.ts'
import { HostsQuery } from '../kit/params.ts'
import { Image } from './schema.ts'

const view = placedList<ImageSummary, z.input<typeof Image>>(({ createdAt, ...rest }, place) => ({
  ...rest,
  created_at: createdAt,
  ...place,
}))

export default endpoint({
  summary: 'List images',
  description: 'Of one host or of all, by name.',
  access: 'images:read',
  query: HostsQuery,
  returns: overHostsSchema(Image, 1000),
  fails: { 404: 'No host has that id' },

  async run({ query, caller }, ports: Needs<'hosts' | 'engines' | 'clock'>) {
    const found = await listOverHosts(query.host, caller, ports, async (engine, host) =>
      view(await engine.images(), host),
    )
    return overHosts(found, 1000)
  },
})
