import type { Hosts } from '../../../functions/core/ports/hosts.ts'
import type { Host } from '../../../functions/core/records/host.ts'
import { normalName } from '../../../functions/core/records/normal-name.ts'
import { memoryCollection } from './collection.ts'

/** The local host, renamed, so that its name is not its id. */
export const localHost: Host = {
  id: 'local',
  name: 'Cellar',
  kind: 'local',
  tags: [],
  stacksDirectory: '/opt/stacks',
  agent: null,
}

/** Returns the name of the host that `agentHost` returns for an id: `Box FAR` for `far`. */
export const hostNameOf = (id: string) => `Box ${id.toUpperCase()}`

/**
 * Returns a host with an enrolled agent and the default settings. Its name is unlike its id, so
 * that a test fails where one is used for the other.
 */
export const agentHost = (id: string, tags: string[] = []): Host => ({
  id,
  name: hostNameOf(id),
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
    async remove(id, revision) {
      return id !== local.id && hosts.remove(id, revision)
    },
  }
}
