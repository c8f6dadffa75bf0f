import { requireEveryHost } from '../core/access/grant.ts'
import { conflict } from '../core/errors.ts'
import { changeHost, requireAgent } from '../core/hosts/enrol.ts'
import { getHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostPath } from './schema.ts'

export default endpoint({
  summary: 'Revoke a host',
  description:
    'Rejects the certificate of the host and closes its connection. Its containers keep running. A host that is already revoked is deleted from the list, unless stacks are still placed on it.',
  access: 'hosts:manage',
  path: HostPath,
  fails: {
    403: 'Your credential is limited to some hosts',
    404: 'No host has that id',
    409: 'Stacks are placed on the revoked host',
  },

  async run({ path, caller }, ports: Needs<'hosts' | 'stacks'>) {
    requireEveryHost(caller, 'hosts')
    const host = await getHost(path.id, ports)
    requireAgent(host)
    if (host.agent.state === 'revoked') {
      const placed = (await ports.stacks.list()).filter((stack) => stack.hostId === host.id)
      if (placed.length > 0) {
        const names = placed.map(({ id }) => id).join(', ')
        throw conflict(`host ${host.name}: stacks are placed on it: ${names.slice(0, 500)}`)
      }
      await ports.hosts.remove(host.id)
      return undefined
    }
    await changeHost(host.id, ports, (before) => ({
      ...before,
      agent: { ...before.agent!, state: 'revoked', serial: null, nextSerial: null },
    }))
    return undefined
  },
})
