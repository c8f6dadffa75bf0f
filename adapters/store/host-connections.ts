import { overloaded } from '../../functions/core/errors.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { HostConnections } from '../../functions/core/ports/host-connections.ts'
import type { DuplicateAgent, HostConnection } from '../../functions/core/records/host.ts'
import { type Item, newRevision, packed, ttlAt, unpacked } from './item.ts'
import { absent, type Table } from './table.ts'

const triesMax = 20

const duplicateOf = (text: unknown) => JSON.parse(String(text)) as DuplicateAgent

/** A connection as it was made. */
type Made = Omit<HostConnection, 'number' | 'endedAt' | 'duplicate'>

/**
 * Stores the last connection of each host as an item (`host-connections`, host id). It stays after
 * the end of the connection, so that its number keeps growing. A process with connections is an
 * item (`sidecars`, process id) with the time until which its heartbeat is valid.
 */
export function storedHostConnections(table: Table, clock: Clock): HostConnections {
  const key = (hostId: string) => ({ pk: 'host-connections', sk: hostId })
  const read = (hostId: string) => table.get(key(hostId).pk, hostId)
  const lives = async () =>
    new Map((await table.query('sidecars')).map((item) => [item.sk, item.until as number]))
  const connectionOf = (item: Item, until: ReadonlyMap<string, number>): HostConnection => {
    const known = unpacked<Made>(item)
    const alive = until.get(known.processId) ?? 0
    const open = item.ended === undefined && alive > clock.now()
    const endedAt = open ? null : ((item.ended as number) ?? (alive || known.connectedAt))
    const duplicate = item.duplicate === undefined ? undefined : duplicateOf(item.duplicate)
    return { ...known, number: item.number as number, endedAt, ...(duplicate && { duplicate }) }
  }
  return {
    async claim(connection) {
      const { hostId } = connection
      for (let tries = 0; tries < triesMax; tries += 1) {
        const found = await read(hostId)
        const number = ((found?.number as number | undefined) ?? 0) + 1
        const seen = { if: '#rev = :seen', values: { seen: found?.rev as number } }
        const item = { ...key(hostId), number, rev: newRevision(), ...packed(connection) }
        if (await table.put(item, found ? seen : absent)) return number
      }
      throw overloaded(`host ${hostId}: too many concurrent connections`)
    },
    async end(hostId, number, at) {
      const found = await read(hostId)
      if (found?.number !== number) return
      await table.put(
        { ...found, ended: at, rev: newRevision() },
        { if: '#number = :ended', values: { ended: number } },
      )
    },
    async noteDuplicate(hostId, duplicate) {
      const found = await read(hostId)
      if (!found) return
      await table.put(
        { ...found, duplicate: JSON.stringify(duplicate), rev: newRevision() },
        { if: '#rev = :seen', values: { seen: found.rev as number } },
      )
    },
    async find(hostId) {
      const found = await read(hostId)
      return found && connectionOf(found, await lives())
    },
    async list() {
      const [items, until] = await Promise.all([table.query('host-connections'), lives()])
      return items.map((item) => connectionOf(item, until))
    },
    async beat(processId, until) {
      // The row of a process that ended expires after a day; until then it tells when that was.
      const ttl = ttlAt(until + 24 * 60 * 60 * 1000)
      await table.put({ pk: 'sidecars', sk: processId, until, ttl })
    },
  }
}
