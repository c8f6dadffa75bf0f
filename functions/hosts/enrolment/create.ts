import { requireEveryHost, requirePermissions } from '../../core/access/grant.ts'
import { conflict } from '../../core/errors.ts'
import { hasEnrolled, offerEnrolment, requireAgent } from '../../core/hosts/enrol.ts'
import { getHost } from '../../core/hosts/target.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { Host } from '../../core/records/host.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { Enrolment, EnrolmentQuery, HostPath, showEnrolment } from '../schema.ts'

export default endpoint({
  summary: 'Re-enrol the agent of a host',
  description:
    'Returns a new one-time token for a host whose agent never connected, was lost or was revoked. Earlier tokens of the host become invalid. The current certificate stays valid until the new one is issued. The new machine gets all that is deployed to the host, so a host that was enrolled before also needs `stacks:privileged`.',
  access: 'hosts:manage',
  atService: true,
  returnsSecret: true,
  path: HostPath,
  query: EnrolmentQuery,
  returns: Enrolment,
  status: 201,
  errors: {
    403: 'Your credential is limited to some hosts, or the host was enrolled before',
    404: 'No host has that id',
    409: 'The agent of the host is connected',
  },

  async run({ path, query, caller, request }, ports: Ports) {
    requireEveryHost(caller, 'hosts')
    const host = await getHost(path.id, ports)
    requireAgent(host)
    if (hasEnrolled(host.agent)) {
      requirePermissions(caller, ['stacks:privileged'], `host ${host.name}: replacing its agent`)
    }
    if (!query.replace && (await isConnected(host, ports))) {
      const reason = 'its agent is connected, and a new one would take its place'
      throw conflict(`host ${host.name}: ${reason}: revoke the host, or use \`replace\``)
    }
    const enrolment = await offerEnrolment(host.id, ports)
    return showEnrolment(enrolment, ports, request.headers)
  },
})

async function isConnected({ id, agent }: Host, { hostConnections }: Needs<'hostConnections'>) {
  if (agent?.state !== 'enrolled') return false
  return (await hostConnections.find(id))?.endedAt === null
}

type Ports = Needs<
  | 'hosts'
  | 'hostConnections'
  | 'enrolments'
  | 'authority'
  | 'addresses'
  | 'site'
  | 'random'
  | 'clock'
>
