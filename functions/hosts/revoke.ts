import { requireEveryHost } from '../core/access/grant.ts'
import { anyVersion, revokeHost } from '../core/host-removal/delete-host.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Host, HostPath } from './schema.ts'
import { type HostViewPorts, hostView } from './view.ts'

export default endpoint({
  summary: 'Revoke a host',
  description:
    'Rejects the certificate and the enrolment token of the host, and closes its connection within a second. Its containers keep running, and it stays in the list. ' +
    'May be repeated: a revoked host stays revoked. `POST /hosts/{id}/enrolment` lets it in again.',
  access: 'hosts:manage',
  atService: true,
  path: HostPath,
  returns: Host,
  errors: {
    400: 'The local host has no agent',
    403: 'Your credential is limited to some hosts',
    404: 'No host has that id',
  },

  async run({ path, caller }, ports: HostViewPorts) {
    requireEveryHost(caller, 'hosts')
    return hostView(await revokeHost(path.id, anyVersion, ports), ports)
  },
})
