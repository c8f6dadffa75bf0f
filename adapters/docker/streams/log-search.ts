import { atLeast, type EngineClient } from '../transport/client.ts'
import { onAbort } from '../transport/deadline.ts'

/**
 * How long an Engine may look for the end of a log. From version 23 on, it looks without an end if
 * the file was emptied by hand: where the end was before. Milliseconds.
 */
export const searchTime = 5000
/** How long a log may be looked through instead. Milliseconds. */
export const wholeTime = 20_000

/** Returns whether an Engine can look for the end of a log without an end. */
export const missesEnds = async (client: Pick<EngineClient, 'apiVersion'>) =>
  atLeast(await client.apiVersion(), '1.42')

/**
 * Returns what a search results in, or undefined if it found nothing in time and was ended. It may
 * take longer after it has called `found`.
 */
export async function beforeSearchEnds<T>(
  signal: AbortSignal,
  milliseconds: number,
  search: (stop: AbortSignal, found: () => void) => Promise<T>,
): Promise<T | undefined> {
  const stop = new AbortController()
  const unfollow = onAbort(signal, () => stop.abort(signal.reason))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop.abort(new Error('the Engine did not find the end of the log'))
  }, milliseconds)
  try {
    return await search(stop.signal, () => clearTimeout(timer))
  } catch (error) {
    if (!isLate || signal.aborted) throw error
    return undefined
  } finally {
    clearTimeout(timer)
    unfollow()
  }
}
