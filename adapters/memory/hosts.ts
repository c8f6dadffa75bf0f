import type { Host, Hosts } from '../../functions/core/hosts/ports.ts'

/** The local host as it would be on a new installation. */
export const localHost: Host = {
  id: 'local',
  name: 'local',
  kind: 'local',
  tags: [],
  stacksDirectory: '/opt/stacks',
}

/** Hosts on a map, the local one among them. */
export function memoryHosts(local: Host = localHost): Hosts {
  const hosts = new Map([[local.id, structuredClone(local)]])
  return {
    async find(id) {
      return structuredClone(hosts.get(id))
    },
    async list() {
      const ids = [...hosts.keys()].sort()
      return ids.map((id) => structuredClone(hosts.get(id)!))
    },
    async save(host) {
      hosts.set(host.id, structuredClone(host))
    },
  }
}
