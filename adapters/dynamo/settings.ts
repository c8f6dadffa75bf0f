import type { Settings, SettingValues } from '../../functions/core/ports.ts'
import { effectiveSettings } from '../../functions/core/settings.ts'
import { packed, unpacked } from './item.ts'
import type { Table } from './table.ts'

/** Settings that can be stored. */
export interface StoredSettings extends Settings {
  /** Stores these values over those stored before. */
  save(values: Partial<SettingValues>): Promise<void>
}

/** The stored values are one item (`settings`, `values`); the pinned ones come from the file and the environment. */
export function dynamoSettings(table: Table, pinned: Partial<SettingValues>): StoredSettings {
  const stored = async () => {
    const item = await table.get('settings', 'values')
    return item ? unpacked<Partial<SettingValues>>(item) : {}
  }
  return {
    get: async () => effectiveSettings(await stored(), pinned),
    async save(values) {
      const next = { ...(await stored()), ...values }
      await table.put({ pk: 'settings', sk: 'values', ...packed(next) })
    },
  }
}
