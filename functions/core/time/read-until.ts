import type { Needs } from '../ports/ports.ts'

/**
 * Milliseconds between two reads: short at first, because many operations end soon. Another process
 * may run the operation, so its record is all that shows its end.
 */
const intervals = [250, 500]
const longestInterval = 1_000

export interface ReadUntil<T> {
  read(): Promise<T>
  isDone(value: T): boolean
  /** How long to wait at most. Milliseconds. */
  time: number
  /** Aborted when nothing waits for the value any more. */
  signal: AbortSignal
}

/**
 * Reads a value until it is done, the time is over, the signal aborts or the service stops. Returns
 * what was read last.
 *
 * @throws what `read` throws
 */
export async function readUntil<T>(
  { read, isDone, time, signal }: ReadUntil<T>,
  { clock, background }: Needs<'clock' | 'background'>,
): Promise<T> {
  const end = clock.monotonic() + time
  const over = AbortSignal.any([signal, background.stopping])
  for (let reads = 0; ; reads += 1) {
    const value = await read()
    const left = end - clock.monotonic()
    if (isDone(value) || left <= 0 || over.aborted) return value
    await clock.sleep(Math.min(intervals[reads] ?? longestInterval, left), over)
  }
}
