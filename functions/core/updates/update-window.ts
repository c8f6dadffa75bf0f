import type { UpdateWindow } from '../records/update-policy.ts'
import { nextRun } from '../time/schedule.ts'

const minute = 60_000

/**
 * Returns the first time from an instant on at which an update may begin, that instant within a
 * window; null for never. Milliseconds since the epoch.
 */
export function firstOpen(window: UpdateWindow | null, from: number): number | null {
  if (!window) return from
  const { schedule, timezone, durationMinutes } = window
  // A window that is open now began within its duration.
  const begun = nextRun(schedule, timezone, from - durationMinutes * minute)
  if (begun === null) return null
  return Math.max(begun, from)
}
