import type { Settings, SettingValues } from '../../functions/core/settings.ts'
import { effectiveSettings } from '../../functions/core/settings.ts'

/** Returns settings in memory. Pinned values override saved ones, which override the defaults. */
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
