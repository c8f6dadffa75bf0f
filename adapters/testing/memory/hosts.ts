import { normalName } from '../../../functions/core/access/normal-name.ts'
import type { Hosts } from '../../../functions/core/ports/hosts.ts'
import type { Host } from '../../../functions/core/records/host.ts'
import { memoryCollection } from './collection.ts'

/** The local host of a new installation. */
export const localHost: Host = {
  id: 'local',
  name: 'local',
  kind: 'local',
  tags: [],
  stacksDirectory: '/opt/stacks',
  agent: null,
}

/** Returns a host with an enrolled agent and the default settings. */
export const agentHost = (id: string, tags: string[] = []): Host => ({
  id,
  name: id,
  kind: 'agent',
  tags,
  stacksDirectory: '/opt/stacks',
  agent: { state: 'enrolled', serial: null, nextSerial: null, certificateExpiresAt: null },
})

/** Returns an in-memory store of hosts, including the local one. */
export function memoryHosts(local: Host = localHost): Hosts {
  const hosts = memoryCollection<Host>((host) => [normalName(host.name)])
  const ready = hosts.create(local)
  return {
    async find(id) {
      await ready
      return hosts.find(id)
    },
    async list() {
      await ready
      return hosts.list()
    },
    async create(host) {
      await ready
      return hosts.create(host)
    },
    async replace(host) {
      await ready
      return hosts.replace(host)
    },
    async remove(id) {
      return id !== local.id && hosts.remove(id)
    },
  }
}
