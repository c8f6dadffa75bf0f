import type { Needs } from '../ports/ports.ts'
import type { ServiceEvent } from '../ports/service-events.ts'
import type { HostConnection } from '../records/host.ts'

type Ports = Needs<'hosts' | 'hostConnections'>

/** Returns a watch that finds the agents that connect and disconnect, in all processes. */
export function connectionWatch({ hosts, hostConnections }: Ports) {
  let known: Map<string, string> | undefined
  return {
    async poll(): Promise<ServiceEvent[]> {
      const found = await hostConnections.list()
      const before = known
      known = new Map(found.map((one) => [one.hostId, stateOf(one)]))
      const changed = found.filter((one) => before && before.get(one.hostId) !== stateOf(one))
      if (changed.length === 0) return []
      const names = await namesOf({ hosts })
      return changed.map((one) => eventOf(one, names))
    },
  }
}

/** Returns the events of connections that changed since an instant (ms since the epoch). */
export async function connectionsSince(since: number, ports: Ports): Promise<ServiceEvent[]> {
  const found = await ports.hostConnections.list()
  const changed = found.filter((one) => (one.endedAt ?? one.connectedAt) >= since)
  if (changed.length === 0) return []
  const names = await namesOf(ports)
  return changed.map((one) => eventOf(one, names))
}

const stateOf = ({ number, endedAt }: HostConnection) => `${number} ${endedAt === null}`

async function namesOf({ hosts }: Needs<'hosts'>): Promise<Map<string, string>> {
  return new Map((await hosts.list()).map(({ id, name }) => [id, name]))
}

function eventOf(one: HostConnection, names: Map<string, string>): ServiceEvent {
  const isOpen = one.endedAt === null
  return {
    id: `${one.hostId}-${one.number}-${isOpen ? 'online' : 'offline'}`,
    time: new Date(one.endedAt ?? one.connectedAt).toISOString(),
    source: 'service',
    kind: isOpen ? 'host.online' : 'host.offline',
    subject: { kind: 'host', id: one.hostId, name: names.get(one.hostId) ?? null },
    by: null,
    details: {},
    hosts: [one.hostId],
    userId: null,
  }
}
