import type { Clock } from '../../functions/core/ports.ts'

/** A clock that stands still until it is told otherwise. Milliseconds. */
export interface MemoryClock extends Clock {
  advance(milliseconds: number): void
  set(now: number): void
}

/** Starts at noon of 1 June 2026, UTC, unless told. */
export function memoryClock(start = Date.UTC(2026, 5, 1, 12)): MemoryClock {
  let current = start
  return {
    now: () => current,
    advance(milliseconds) {
      current += milliseconds
    },
    set(now) {
      current = now
    },
  }
}
