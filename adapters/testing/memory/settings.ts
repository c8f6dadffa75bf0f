import type { Settings } from '../../../functions/core/ports/settings.ts'
import type { SettingValues } from '../../../functions/core/records/settings.ts'
import { effectiveSettings } from '../../../functions/core/records/settings.ts'

/**
 * Returns an in-memory store of settings. Pinned values override saved ones, which override the
 * defaults.
 */
export function memorySettings(pinned: Partial<SettingValues> = {}): Settings {
  let stored: Partial<SettingValues> = {}
  let isFilled = false
  const read = async () => effectiveSettings(stored, pinned)
  return {
    pinned: new Set(Object.keys(pinned)),
    get: read,
    fresh: read,
    async save(values) {
      const all = Object.entries({ ...stored, ...values })
      stored = Object.fromEntries(all.filter(([, value]) => value !== null))
    },
    areListsFilled: async () => isFilled,
    async markListsFilled() {
      isFilled = true
    },
  }
}
