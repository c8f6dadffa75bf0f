import type { Settings } from '../../functions/core/ports/settings.ts'
import type { SettingValues } from '../../functions/core/records/settings.ts'
import { effectiveSettings } from '../../functions/core/records/settings.ts'
import { packed, unpacked } from './item.ts'
import type { Table } from './table.ts'

/** Its key is of no setting, so readers of settings leave it out. */
const filled = { pk: 'settings', sk: 'lists-filled' }

/**
 * Stores each saved value as an item (`settings`, key). Pinned values come from the configuration
 * file and the environment.
 */
export function storedSettings(table: Table, pinned: Partial<SettingValues>): Settings {
  const read = async () => {
    const items = await table.query('settings')
    const stored = Object.fromEntries(items.map((item) => [item.sk, unpacked(item)]))
    return effectiveSettings(stored, pinned)
  }
  return {
    pinned: new Set(Object.keys(pinned)),
    get: read,
    fresh: read,
    async save(values) {
      const saved = Object.entries(values).map(([sk, value]) => {
        const key = { pk: 'settings', sk }
        return value === null ? table.remove(key) : table.put({ ...key, ...packed(value) })
      })
      await Promise.all(saved)
    },
    areListsFilled: async () => (await table.get(filled.pk, filled.sk)) !== undefined,
    async markListsFilled() {
      await table.put({ ...filled, ...packed(true) })
    },
  }
}
