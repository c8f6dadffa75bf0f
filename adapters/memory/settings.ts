import type { Settings, SettingValues } from '../../functions/core/settings.ts'
import { effectiveSettings } from '../../functions/core/settings.ts'

/** Settings that a test may store. */
export interface StoredSettings extends Settings {
  save(values: Partial<SettingValues>): Promise<void>
}

/** The pinned values over the saved over the defaults. */
export function memorySettings(pinned: Partial<SettingValues> = {}): StoredSettings {
  let stored: Partial<SettingValues> = {}
  return {
    async get() {
      return effectiveSettings(stored, pinned)
    },
    async save(values) {
      stored = { ...stored, ...values }
    },
  }
}
