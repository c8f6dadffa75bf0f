import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Host, HostPath } from './schema.ts'
import { hostView } from './view.ts'

export default endpoint({
  summary: 'Show a host',
  access: 'hosts:read',
  path: HostPath,
  returns: Host,
  fails: { 404: 'No host has that id' },

  async run({ path }, ports: Needs<'hosts' | 'engines'>) {
    const host = await ports.hosts.find(path.id)
    if (!host) throw notFound(`host ${path.id}: there is no such host`)
    return hostView(host, ports)
  },
})
