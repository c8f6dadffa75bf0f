import { isDeepStrictEqual } from 'node:util'
import { requireEveryHost } from '../core/access/grant.ts'
import { conflict, invalid } from '../core/errors.ts'
import { changeHost } from '../core/hosts/enrol.ts'
import { getHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Host as HostRecord } from '../core/records/host.ts'
import { requireSetTags } from '../core/stacks/variable-set.ts'
import { requirePolicyTags } from '../core/updates/save-inherited.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { hostEdition } from './edition.ts'
import { checkHostName, Host, HostPath, UpdateHostBody } from './schema.ts'
import { type HostViewPorts, hostView } from './view.ts'

type Ports = HostViewPorts & Needs<'updatePolicies' | 'variableSets'>

export default endpoint({
  summary: 'Update a host',
  description:
    'Changes the name, the tags or the address. Omitted fields keep their values. Requests find a host by its name, tags determine which limited accounts have access to it, and the links that everybody follows lead to its address, so a limited credential can change none of them.',
  access: 'hosts:manage',
  atService: true,
  path: HostPath,
  takesIfMatch: true,
  body: UpdateHostBody,
  returns: Host,
  errors: {
    403: 'Your credential is limited to some hosts; or a tag that is added or removed has an update policy, which needs `settings:manage`, or a set of variables, which needs `variables:manage`',
    404: 'No host has that id',
    409: 'Another host has that name, or another request changes the tags at the same time',
  },
  examples: { body: { name: 'warehouse', tags: ['production'] } },

  async run({ path, body, caller, ifMatch }, ports: Ports) {
    if (body.name !== undefined) checkHostName(body.name, path.id)
    const { agent, tags: before } = await getHost(path.id, ports)
    const kind = agent ? 'agent' : 'local'
    if (body.kind !== undefined && body.kind !== kind) {
      throw invalid(`body.kind: cannot be changed: the host is of kind ${kind}`)
    }
    for (const field of ['tags', 'name', 'address'] as const) {
      if (body[field] !== undefined) requireEveryHost(caller, field)
    }
    if (body.tags) {
      await requirePolicyTags(before, body.tags, caller, ports)
      await requireSetTags(before, body.tags, caller, ports)
    }
    const changed = await changeHost(path.id, ports, (host) => {
      ifMatch.check(hostEdition(host))
      if (body.tags && !isDeepStrictEqual(host.tags, before)) throw tagsChanged(host)
      const { name = host.name, tags = host.tags, address = host.address } = body
      return { ...host, name, tags, address }
    })
    return versioned(await hostView(changed, ports), hostEdition(changed))
  },
})

/** The tags decide who has access, and were checked as they had been before that change. */
const tagsChanged = ({ name }: Pick<HostRecord, 'name'>) =>
  conflict(`host ${name}: another request changed its tags meanwhile: read them and try again`)
