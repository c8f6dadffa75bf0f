import { t } from '../text/text.ts'
import { numberFormat, relativeFormat, timeFormat } from './formats.ts'

const second = 1000
const units = [
  ['year', 365 * 86_400 * second],
  ['month', 30 * 86_400 * second],
  ['day', 86_400 * second],
  ['hour', 3600 * second],
  ['minute', 60 * second],
] as const

/**
 * Returns "4 hours ago" or "in 2 days". Under a minute it is "now", so that a list does not
 * flicker.
 */
export function relativeTime(at: number, now: number): string {
  const distance = at - now
  const [unit, size] = units.find(([, ms]) => Math.abs(distance) >= ms) ?? []
  if (!unit || !size) return t.parts.now
  return relativeFormat().format(Math.trunc(distance / size), unit)
}

/** Returns "4 hours ago". What is over is never ahead, though the clock of its host may be. */
export const pastTime = (at: number, now: number): string => relativeTime(Math.min(at, now), now)

/** Returns how long something has lasted: "4 h". */
export const lengthSince = (at: number, now: number): string => lengthOf(Math.max(0, now - at))

/** Returns a duration in its two largest units at most: "840 ms", "4.2 s", "3 min", "2 d". */
export function lengthOf(ms: number): string {
  if (ms < second) return `${Math.round(ms)} ms`
  if (ms < 60 * second) return `${number(ms / second, ms < 10 * second ? 1 : 0)} s`
  if (ms < 3600 * second) return `${Math.floor(ms / (60 * second))} min`
  if (ms < 86_400 * second) return `${Math.floor(ms / (3600 * second))} h`
  return `${Math.floor(ms / (86_400 * second))} d`
}

const number = (value: number, digits: number) => numberFormat(digits).format(value)

/** Returns the exact time with its zone: "23 Nov 2026, 14:07:01 CET". */
export const exactTime = (at: Date): string =>
  timeFormat({ dateStyle: 'medium', timeStyle: 'long' }).format(at)

/** Returns the time without seconds and zone: "23 Nov 2026, 14:07". */
export const shortTime = (at: Date | number): string =>
  timeFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(at)

/** Returns the time without its zone: "23 Nov 2026, 14:07:01". */
export const timeToSecond = (at: Date | number): string =>
  timeFormat({ dateStyle: 'medium', timeStyle: 'medium' }).format(at)

/** Returns the time of day: "18:04:12". */
export const timeOfDay = (at: Date | number): string =>
  timeFormat({ timeStyle: 'medium' }).format(at)
