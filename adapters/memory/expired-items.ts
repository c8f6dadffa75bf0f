import type { ExpiredItems } from '../../functions/core/retention/ports.ts'

/** What has expired in memory: nothing, since the maps forget it themselves. */
export const memoryExpiredItems: ExpiredItems = {
  removeHour: async () => 0,
  removeDeliveries: async () => 0,
  adoptOlder: async () => undefined,
}
