import { getHost } from '../core/hosts/target.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { hostEdition } from './edition.ts'
import { Host, HostPath } from './schema.ts'
import { type HostViewPorts, hostView } from './view.ts'

export default endpoint({
  summary: 'Show a host',
  access: 'hosts:read',
  atService: true,
  path: HostPath,
  returns: Host,
  errors: { 404: 'No host has that id' },

  async run({ path }, ports: HostViewPorts) {
    const host = await getHost(path.id, ports)
    return versioned(await hostView(host, ports), hostEdition(host))
  },
})
