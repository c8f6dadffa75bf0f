import type { Clock } from '../ports/clock.ts'
import type { Reminders } from '../ports/reminders.ts'

const hour = 60 * 60 * 1000

/** Returns reminders that are due, and forget a state, once an hour for each key. */
export function hourlyReminders({ monotonic }: Pick<Clock, 'monotonic'>): Reminders {
  const reminded = new Map<string, number>()
  const lasting = new Map<string, { since: number; asked: number }>()
  return {
    isDue(key) {
      const now = monotonic()
      for (const [other, at] of reminded) if (now - at >= hour) reminded.delete(other)
      if (reminded.has(key)) return false
      reminded.set(key, now)
      return true
    },
    lasted(key) {
      const now = monotonic()
      for (const [other, { asked }] of lasting) if (now - asked >= hour) lasting.delete(other)
      const since = lasting.get(key)?.since ?? now
      lasting.set(key, { since, asked: now })
      return now - since
    },
  }
}
