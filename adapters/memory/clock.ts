import type { Clock } from '../../functions/core/runtime.ts'

/** A clock that stands still until the test moves it. Milliseconds. */
export interface MemoryClock extends Clock {
  advance(milliseconds: number): void
  set(now: number): void
}

/**
 * Returns a clock that starts at 2026-06-01 12:00 UTC by default. A sleep ends when the clock moves
 * past its end, or when that time has really passed.
 */
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
