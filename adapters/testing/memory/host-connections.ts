import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { HostConnections } from '../../../functions/core/ports/host-connections.ts'
import type { HostConnection } from '../../../functions/core/records/host.ts'

/** Returns an in-memory store of host connections. */
export function memoryHostConnections(clock: Clock): HostConnections {
  const rows = new Map<string, HostConnection>()
  /** Process id → when its last heartbeat expires. */
  const validUntil = new Map<string, number>()
  const withEnd = (row: HostConnection): HostConnection => {
    const until = validUntil.get(row.processId) ?? 0
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
    async noteDuplicate(hostId, duplicate) {
      const row = rows.get(hostId)
      if (row) row.duplicate = { ...duplicate }
    },
    async find(hostId) {
      const row = rows.get(hostId)
      return row && withEnd(row)
    },
    async list() {
      const sorted = [...rows].sort(([one], [other]) => (one < other ? -1 : 1))
      return sorted.map(([, row]) => withEnd(row))
    },
    async beat(processId, until) {
      validUntil.set(processId, until)
    },
  }
}
