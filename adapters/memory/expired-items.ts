import type { ExpiredItems } from '../../functions/core/retention/ports.ts'

/** There are no expired items in memory: the maps forget them themselves. */
export const memoryExpiredItems: ExpiredItems = {
  removeHour: async () => 0,
  removeDeliveries: async () => 0,
  scanPage: async () => undefined,
}
