import { cacheFor } from '../../../functions/core/cache-for.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Settings } from '../../../functions/core/ports/settings.ts'

/** Milliseconds. */
const age = 1000

/** Caches the settings for a second. A process sees its own changes at once. */
export function cacheSettings(
  settings: Settings,
  { monotonic }: Pick<Clock, 'monotonic'>,
): Settings {
  const values = cacheFor(() => settings.get(), age, monotonic)
  return {
    ...settings,
    get: values.get,
    async save(changed) {
      try {
        await settings.save(changed)
      } finally {
        values.invalidate()
      }
    },
  }
}
