import { requireEveryHost } from '../core/access/grant.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Host, HostPath, UpdateHostBody } from './schema.ts'
import { hostView } from './view.ts'

export default endpoint({
  summary: 'Change the name or the tags of a host',
  description:
    'What is left out stays. Tags say which limited accounts reach the host, so that a credential that is limited itself cannot change them.',
  access: 'hosts:manage',
  path: HostPath,
  body: UpdateHostBody,
  returns: Host,
  fails: { 403: 'Your credential is limited to some hosts', 404: 'No host has that id' },
  examples: { body: { name: 'warehouse', tags: ['production'] } },

  async run({ path, body, caller }, ports: Needs<'hosts' | 'engines'>) {
    const host = await ports.hosts.find(path.id)
    if (!host) throw notFound(`host ${path.id}: there is no such host`)
    if (body.tags) requireEveryHost(caller, 'tags')
    const { name = host.name, tags = host.tags } = body
    const changed = { ...host, name, tags }
    await ports.hosts.save(changed)
    return hostView(changed, ports)
  },
})
