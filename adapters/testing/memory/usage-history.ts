import { blockMs } from '../../../functions/core/metrics/usage-points.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { UsageHistory } from '../../../functions/core/ports/usage-history.ts'
import type { UsageBlock } from '../../../functions/core/records/usage-history.ts'

/** Returns an in-memory history of what hosts and containers used. */
export function memoryUsageHistory(clock: Clock): UsageHistory {
  const kept = new Map<string, { hostId: string; block: UsageBlock; expiresAt: number }>()
  return {
    async put(hostId, block, expiresAt) {
      const key = [hostId, block.step, block.from, block.mark].join(' ')
      kept.set(key, { hostId, block: structuredClone(block), expiresAt })
    },
    list: async (hostId, step, since) =>
      [...kept.values()]
        .filter((one) => one.hostId === hostId && one.expiresAt > clock.now())
        .map(({ block }) => structuredClone(block))
        .filter((block) => block.step === step && block.from + blockMs[step] > since)
        .sort((one, other) => one.from - other.from || (one.mark < other.mark ? -1 : 1)),
  }
}
