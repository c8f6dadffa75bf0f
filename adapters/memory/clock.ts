import type { Clock } from '../../functions/core/runtime.ts'

/** A clock that stands still until it is told otherwise. Milliseconds. */
export interface MemoryClock extends Clock {
  advance(milliseconds: number): void
  set(now: number): void
}

/** Starts at noon of 1 June 2026, UTC, unless told. A sleep ends when the clock is moved past its end, or really passes. */
export function memoryClock(start = Date.UTC(2026, 5, 1, 12)): MemoryClock {
  let current = start
  const sleepers = new Set<{ until: number; wake: () => void }>()
  const set = (now: number) => {
    current = now
    for (const sleeper of sleepers) if (sleeper.until <= now) sleeper.wake()
  }
  return {
    now: () => current,
    set,
    advance: (milliseconds) => set(current + milliseconds),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { until: current + milliseconds, wake }
        const timer = setTimeout(wake, milliseconds)
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake)
        if (signal?.aborted) wake()
      }),
  }
}
