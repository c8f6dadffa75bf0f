import type { Lease, Leases } from '../../functions/core/leases.ts'
import type { Clock } from '../../functions/core/runtime.ts'

/** Leases on a map. */
export function memoryLeases(clock: Clock): Leases {
  const leases = new Map<string, Lease>()
  const live = (name: string) => {
    const lease = leases.get(name)
    return lease && lease.expiresAt > clock.now() ? lease : undefined
  }
  return {
    async take(name, holder, milliseconds) {
      const held = live(name)
      if (held && held.holder !== holder) return undefined
      const fence = held ? held.fence : (leases.get(name)?.fence ?? 0) + 1
      const lease = { name, holder, fence, expiresAt: clock.now() + milliseconds }
      leases.set(name, lease)
      return { ...lease }
    },
    async find(name) {
      return structuredClone(live(name))
    },
    async look(name) {
      return { held: live(name) !== undefined, fence: leases.get(name)?.fence ?? 0 }
    },
    async release(lease) {
      const held = leases.get(lease.name)
      if (held?.holder === lease.holder && held.fence === lease.fence) held.expiresAt = 0
    },
  }
}
