import type { Clock } from '../../../functions/core/ports/clock.ts'

/** A clock that only moves when the test moves it. Milliseconds. */
export interface MemoryClock extends Clock {
  advance(milliseconds: number): void
  set(now: number): void
  /** Changes only what `now` returns, as setting the machine's time does. */
  jump(milliseconds: number): void
}

/**
 * Returns a clock that starts at 2026-06-01 12:00 UTC by default. A sleep ends when the clock is
 * moved past its end, or after its length in real time.
 */
export function memoryClock(start = Date.UTC(2026, 5, 1, 12)): MemoryClock {
  let current = start
  let jumped = 0
  const sleepers = new Set<{ until: number; wake: () => void }>()
  const advance = (milliseconds: number) => {
    current += milliseconds
    for (const sleeper of sleepers) if (sleeper.until <= current) sleeper.wake()
  }
  return {
    now: () => current + jumped,
    monotonic: () => current,
    jump: (milliseconds) => {
      jumped += milliseconds
    },
    set: (now) => advance(now - jumped - current),
    advance,
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
