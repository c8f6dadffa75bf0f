import type { Settings, SettingValues } from '../../functions/core/settings.ts'
import { effectiveSettings } from '../../functions/core/settings.ts'
import { packed, unpacked } from './item.ts'
import type { Table } from './table.ts'

/** Settings that can be stored. */
export interface StoredSettings extends Settings {
  /** Stores these values and leaves the others as they are. */
  save(values: Partial<SettingValues>): Promise<void>
}

/** A stored value is an item (`settings`, key); the pinned ones come from the file and the environment. */
export function dynamoSettings(table: Table, pinned: Partial<SettingValues>): StoredSettings {
  return {
    async get() {
      const items = await table.query('settings')
      const stored = Object.fromEntries(items.map((item) => [item.sk, unpacked(item)]))
      return effectiveSettings(stored, pinned)
    },
    async save(values) {
      const items = Object.entries(values).map(([sk, value]) => ({
        pk: 'settings',
        sk,
        ...packed(value),
      }))
      await Promise.all(items.map((item) => table.put(item)))
    },
  }
}
