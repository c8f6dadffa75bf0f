import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { Host } from './schema.ts'
import { type HostViewPorts, hostViews } from './view.ts'

export default endpoint({
  summary: 'List hosts',
  description: 'Every host in your scope, sorted by name, with information about its Engine.',
  access: 'hosts:read',
  atService: true,
  returns: z.array(Host).max(500),

  async run(_input, ports: HostViewPorts) {
    const views = await hostViews(await ports.hosts.list(), ports)
    return capped(
      views.sort((one, other) => (one.name < other.name ? -1 : 1)),
      500,
    )
  },
})
