import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Lease, LeaseSnapshot, Leases } from '../../../functions/core/ports/leases.ts'

interface Row extends Lease {
  revision: number
  /** When it ends by the wall clock, for `isStale`. */
  until: number
  released: boolean
}

/** Leases on a map. All that share it are watched from the moment of their last write. */
export function memoryLeases(clock: Clock): Leases {
  const rows = new Map<string, Row>()
  let writes = 0
  const isHeld = (row: Row | undefined): boolean =>
    row !== undefined && !row.released && clock.monotonic() - row.renewedAt < row.length
  const write = (name: string, holder: string, fence: number, length: number): Lease => {
    const lease = { name, holder, fence, length, renewedAt: clock.monotonic() }
    writes += 1
    rows.set(name, { ...lease, revision: writes, until: clock.now() + length, released: false })
    return lease
  }
  const isHeldBy = ({ name, holder, fence }: Lease) => {
    const row = rows.get(name)
    return row?.holder === holder && row.fence === fence && !row.released
  }
  const snapshotOf = (name: string): LeaseSnapshot => {
    const row = rows.get(name)
    const known = row
      ? { holder: row.holder, fence: row.fence, revision: row.revision }
      : { holder: null, fence: 0, revision: null }
    const held = isHeld(row)
    const isExpired = !held && row?.released === false
    return { name, held, isStale: held && (row?.until ?? 0) < clock.now(), isExpired, ...known }
  }
  return {
    async acquire(name, holder, length) {
      const row = rows.get(name)
      const isOwn = row?.holder === holder && !row.released
      if (isHeld(row) && !isOwn) return undefined
      return write(name, holder, (row?.fence ?? 0) + (isOwn ? 0 : 1), length)
    },
    peek: async (name) => snapshotOf(name),
    async acquireIfUnchanged(seen, holder, length) {
      if (seen.held || snapshotOf(seen.name).revision !== seen.revision) return undefined
      return write(seen.name, holder, seen.fence + 1, length)
    },
    async renew(lease) {
      const { name, holder, fence, length } = lease
      return isHeldBy(lease) ? write(name, holder, fence, length) : undefined
    },
    async raiseFence(lease, above) {
      const { name, holder, fence, length } = lease
      return isHeldBy(lease) ? write(name, holder, Math.max(fence, above + 1), length) : undefined
    },
    async release({ name, holder, fence }) {
      const row = rows.get(name)
      if (row?.holder !== holder || row.fence !== fence) return
      writes += 1
      rows.set(name, { ...row, revision: writes, released: true })
    },
  }
}
