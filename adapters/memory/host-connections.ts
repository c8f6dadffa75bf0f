import type { HostConnection, HostConnections } from '../../functions/core/hosts/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'

/** Returns host connections in memory. */
export function memoryHostConnections(clock: Clock): HostConnections {
  const rows = new Map<string, HostConnection>()
  const lives = new Map<string, number>()
  const seen = (row: HostConnection): HostConnection => {
    const until = lives.get(row.processId) ?? 0
    const endedAt = row.endedAt ?? (until > clock.now() ? null : until || row.connectedAt)
    return structuredClone({ ...row, endedAt })
  }
  return {
    async claim(connection) {
      const number = (rows.get(connection.hostId)?.number ?? 0) + 1
      rows.set(connection.hostId, { ...structuredClone(connection), number, endedAt: null })
      return number
    },
    async end(hostId, number, at) {
      const row = rows.get(hostId)
      if (row?.number === number) row.endedAt = at
    },
    async find(hostId) {
      const row = rows.get(hostId)
      return row && seen(row)
    },
    async list() {
      return [...rows.keys()].sort().map((id) => seen(rows.get(id)!))
    },
    async beat(processId, until) {
      lives.set(processId, until)
    },
  }
}
