/** A response, and when its request was sent and it was received. Milliseconds of the browser. */
export interface TimedResponse {
  /** The header `Date`, whose seconds are cut. */
  date: string | null
  sent: number
  received: number
}

export type ServiceClock = ReturnType<typeof makeServiceClock>

/** What `Date` cuts off. Milliseconds. */
const cut = 1000

/**
 * Returns a clock that shows the time of the service, whatever the clock of the browser says: each
 * response limits how far the browser is behind. Until the first one it is the browser's clock.
 *
 * @param browserTime returns the time of the browser, in milliseconds since the epoch
 */
export function makeServiceClock(browserTime: () => number) {
  /** The least and the most that the browser is behind. */
  let limits: readonly [number, number] = [0, 0]
  let isKnown = false

  return {
    /** Returns the time of the service, in milliseconds since the epoch. */
    now: () => browserTime() + Math.round((limits[0] + limits[1]) / 2),
    /** Returns how far the browser is behind, in milliseconds; negative if it is ahead. */
    behind: () => (limits[0] + limits[1]) / 2,
    /** Takes the time of a response. Ignores one without a date, as from some proxies. */
    note({ date, sent, received }: TimedResponse): void {
      const at = Date.parse(date ?? '')
      // The clock of the browser may be set back meanwhile.
      if (Number.isNaN(at) || received < sent) return
      const [least, most] = [at - received, at + cut - sent]
      const both = [Math.max(least, limits[0]), Math.min(most, limits[1])] as const
      // One of the clocks was set if no time fits both.
      limits = isKnown && both[0] <= both[1] ? both : [least, most]
      isKnown = true
    },
  }
}
