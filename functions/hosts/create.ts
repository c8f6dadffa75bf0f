import { requireEveryHost } from '../core/access/grant.ts'
import { hostNameTaken, offerEnrolment } from '../core/hosts/enrol.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Host } from '../core/records/host.ts'
import { requireSetTags } from '../core/stacks/variable-set.ts'
import { requirePolicyTags } from '../core/updates/save-inherited.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import { CreatedHost, CreateHostBody, checkHostName, showEnrolment } from './schema.ts'
import { hostView } from './view.ts'

export default endpoint({
  summary: 'Add a host',
  description:
    'Returns a one-time token and the command that installs and enrols the agent on that machine. The agent dials out, so no port has to be opened there. The token is valid for 30 minutes.',
  access: 'hosts:manage',
  atService: true,
  returnsSecret: true,
  body: CreateHostBody,
  returns: CreatedHost,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'Your credential is limited to some hosts; or a tag has an update policy, which needs `settings:manage`, or a set of variables, which needs `variables:manage`',
    409: 'A host with that name exists',
  },
  examples: { body: { name: 'nas', tags: ['home'] } },

  async run({ body, caller, request, note }, ports: Ports) {
    checkHostName(body.name)
    requireEveryHost(caller, 'tags')
    await requirePolicyTags([], body.tags ?? [], caller, ports)
    await requireSetTags([], body.tags ?? [], caller, ports)
    const host: Host = {
      id: ports.random.id(),
      name: body.name,
      kind: 'agent',
      tags: body.tags ?? [],
      stacksDirectory: ports.addresses.stacksDirectory,
      agent: { state: 'pending', serial: null, nextSerial: null, certificateExpiresAt: null },
    }
    // A process without the authority cannot enrol it: nothing is created then.
    await ports.authority.fingerprint()
    if (!(await ports.hosts.create(host))) throw hostNameTaken(body.name)
    note({ subject: { kind: 'hosts', id: host.id, name: host.name } })
    const enrolment = await offerEnrolment(host.id, ports)
    const view = {
      host: await hostView(host, ports),
      enrolment: showEnrolment(enrolment, ports, request.headers),
    }
    return created(view, 'hosts', host.id)
  },
})

type Ports = Needs<
  | 'hosts'
  | 'hostConnections'
  | 'serviceProcesses'
  | 'enrolments'
  | 'authority'
  | 'addresses'
  | 'site'
  | 'engines'
  | 'random'
  | 'clock'
  | 'updatePolicies'
  | 'variableSets'
>
