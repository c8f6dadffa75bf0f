import { serviceTime } from '../data/clock.ts'
import { now } from './clock.ts'
import { exactTime, lengthSince, pastTime, relativeTime } from './format-time.ts'

/** A moment, as the API sends it, or in milliseconds. */
export type Moment = string | number

interface TimeProps {
  at: Moment
  /** False for what is over, which is never shown as ahead. */
  mayBeAhead?: boolean
}

/** A time, relative with the exact one on hover, in the reader's time zone. It stays current. */
export function Time({ at, mayBeAhead = false }: TimeProps) {
  const moment = new Date(at)
  const words = mayBeAhead ? relativeTime : pastTime
  return (
    <time dateTime={moment.toISOString()} title={exactTime(moment)}>
      {words(moment.getTime(), now.value)}
    </time>
  )
}

/** How long something has lasted, such as "4 h". It stays current. */
export function Since({ at }: { at: Moment }) {
  const moment = new Date(at)
  return (
    <time dateTime={moment.toISOString()} title={exactTime(moment)}>
      {lengthSince(moment.getTime(), Math.max(now.value, serviceTime()))}
    </time>
  )
}
