import type { Lease, Leases } from '../../functions/core/leases.ts'
import type { Clock } from '../../functions/core/runtime.ts'

/** Returns leases in memory. */
export function memoryLeases(clock: Clock): Leases {
  const leases = new Map<string, Lease>()
  const live = (name: string) => {
    const lease = leases.get(name)
    return lease && lease.expiresAt > clock.now() ? lease : undefined
  }
  const keep = (lease: Lease) => {
    leases.set(lease.name, lease)
    return { ...lease }
  }
  return {
    async take(name, holder, milliseconds) {
      const held = live(name)
      if (held && held.holder !== holder) return undefined
      const fence = held ? held.fence : (leases.get(name)?.fence ?? 0) + 1
      return keep({ name, holder, fence, expiresAt: clock.now() + milliseconds })
    },
    async find(name) {
      return structuredClone(live(name))
    },
    async look(name) {
      const { fence = 0 } = leases.get(name) ?? {}
      return { name, held: live(name) !== undefined, fence }
    },
    async takeNext({ name, held, fence }, holder, milliseconds) {
      if (held || (leases.get(name)?.fence ?? 0) !== fence) return undefined
      return keep({ name, holder, fence: fence + 1, expiresAt: clock.now() + milliseconds })
    },
    async release(lease) {
      const held = leases.get(lease.name)
      if (held?.holder !== lease.holder || held.fence !== lease.fence) return
      held.expiresAt = 0
    },
  }
}
