import type { Settings, SettingValues } from '../../functions/core/settings.ts'
import { effectiveSettings } from '../../functions/core/settings.ts'

/** The pinned values over the saved over the defaults. */
export function memorySettings(pinned: Partial<SettingValues> = {}): Settings {
  let stored: Partial<SettingValues> = {}
  return {
    pinned: new Set(Object.keys(pinned)),
    async get() {
      return effectiveSettings(stored, pinned)
    },
    async save(values) {
      stored = { ...stored, ...values }
    },
  }
}
