import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { after, nextByNameHeader } from '../kit/params.ts'
import { pagedByName } from '../kit/reply.ts'
import { Host } from './schema.ts'
import { type HostViewPorts, hostViews } from './view.ts'

export default endpoint({
  summary: 'List hosts',
  description: 'Every host in your scope, sorted by name, with information about its Engine.',
  access: 'hosts:read',
  atService: true,
  query: z.object({ after }),
  returns: z.array(Host).max(500),
  responseHeaders: nextByNameHeader,

  async run({ query }, ports: HostViewPorts) {
    const views = await hostViews(await ports.hosts.list(), ports)
    views.sort((one, other) => (one.name < other.name ? -1 : 1))
    return pagedByName(views, { cap: 500, nameOf: ({ name }) => name, after: query.after })
  },
})
