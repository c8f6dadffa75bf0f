import { type ReadonlySignal, signal } from '@preact/signals'
import { makeServiceClock } from './service-clock.ts'

/**
 * Returns the time of the browser, in milliseconds since the epoch. It may be days off: use it for
 * what tabs of this browser tell each other, `performance.now()` for lengths, and `serviceTime` for
 * all that is shown or sent.
 */
export const browserTime = (): number => Date.now()

const clock = makeServiceClock(browserTime)
const seconds = signal(0)

/** How many seconds the browser is behind the service. Changes when one of the clocks is set. */
export const secondsBehind: ReadonlySignal<number> = seconds

/** Returns the time of the service, in milliseconds since the epoch. */
export const serviceTime = (): number => clock.now()

/** Sends a request to the service, and takes the time from its response. */
export async function timedFetch(...given: Parameters<typeof fetch>): Promise<Response> {
  const sent = browserTime()
  const response = await fetch(...given)
  clock.note({ date: response.headers.get('date'), sent, received: browserTime() })
  seconds.value = Math.round(clock.behind() / 1000)
  return response
}
