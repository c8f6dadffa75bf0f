import { requireEveryHost } from '../../core/access/grant.ts'
import { offerEnrolment, requireAgent } from '../../core/hosts/enrol.ts'
import { getHost } from '../../core/hosts/target.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { Enrolment, HostPath, showEnrolment } from '../schema.ts'

export default endpoint({
  summary: 'Re-enrol the agent of a host',
  description:
    'Returns a new one-time token for a host whose agent never connected, was lost or was revoked. Earlier tokens of the host become invalid. The current certificate stays valid until the new one is issued.',
  access: 'hosts:manage',
  atService: true,
  path: HostPath,
  returns: Enrolment,
  status: 201,
  errors: { 403: 'Your credential is limited to some hosts', 404: 'No host has that id' },

  async run({ path, caller, request }, ports: Ports) {
    requireEveryHost(caller, 'hosts')
    const host = await getHost(path.id, ports)
    requireAgent(host)
    const enrolment = await offerEnrolment(host.id, ports)
    return showEnrolment(enrolment, ports, request.headers)
  },
})

type Ports = Needs<'hosts' | 'enrolments' | 'authority' | 'addresses' | 'site' | 'random' | 'clock'>
