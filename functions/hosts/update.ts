import { requireEveryHost } from '../core/access/grant.ts'
import { changeHost } from '../core/hosts/enrol.ts'
import { getHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Host, HostPath, UpdateHostBody } from './schema.ts'
import { hostView } from './view.ts'

export default endpoint({
  summary: 'Update a host',
  description:
    'Changes the name or the tags. Omitted fields keep their values. Tags determine which limited accounts have access to the host, so a limited credential cannot change them.',
  access: 'hosts:manage',
  path: HostPath,
  body: UpdateHostBody,
  returns: Host,
  fails: {
    403: 'Your credential is limited to some hosts',
    404: 'No host has that id',
    409: 'Another host has that name',
  },
  examples: { body: { name: 'warehouse', tags: ['production'] } },

  async run(
    { path, body, caller },
    ports: Needs<'hosts' | 'hostConnections' | 'engines' | 'clock'>,
  ) {
    await getHost(path.id, ports)
    if (body.tags) requireEveryHost(caller, 'tags')
    const changed = await changeHost(path.id, ports, (host) => {
      const { name = host.name, tags = host.tags } = body
      return { ...host, name, tags }
    })
    return hostView(changed, ports)
  },
})
