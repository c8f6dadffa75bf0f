import { now } from './clock.ts'
import { exactTime, relativeTime } from './format-time.ts'

/** A moment, as the API sends it, or in milliseconds. */
export type Moment = string | number

/** A time, relative with the exact one on hover, in the reader's time zone. It stays current. */
export function Time({ at }: { at: Moment }) {
  const moment = new Date(at)
  return (
    <time dateTime={moment.toISOString()} title={exactTime(moment)}>
      {relativeTime(moment.getTime(), now.value)}
    </time>
  )
}

/** How long something has lasted, such as "4 h". It stays current. */
export function Since({ at }: { at: Moment }) {
  const moment = new Date(at)
  return (
    <time dateTime={moment.toISOString()} title={exactTime(moment)}>
      {relativeTime(moment.getTime(), now.value, 'length')}
    </time>
  )
}
