import type { ExpiredItems } from '../../../functions/core/ports/expired-items.ts'

/** There are no expired items in memory: the other stores drop them. */
export const memoryExpiredItems: ExpiredItems = {
  removeHour: async () => 0,
  removeDeliveries: async () => 0,
  scanPage: async () => undefined,
}
