import { timeFormat } from '../../parts/formats.ts'
import { t } from '../../text/text.ts'

/** Returns when something is planned: "today at 03:00", "on Thu, 3 Dec at 03:00". */
export function whenText(at: number, now: number): string {
  const time = timeFormat({ timeStyle: 'short' }).format(at)
  const days = daysUntil(at, now)
  if (days === 0) return t.updatePolicy.today(time)
  if (days === 1) return t.updatePolicy.tomorrow(time)
  const day = timeFormat({ weekday: 'short', day: 'numeric', month: 'short' }).format(at)
  return t.updatePolicy.onDay(day, time)
}

/** Returns how many midnights of the reader's time zone are in between. */
function daysUntil(at: number, now: number): number {
  const dayOf = (time: number) => {
    const date = new Date(time)
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  }
  return Math.round((dayOf(at) - dayOf(now)) / 86_400_000)
}
