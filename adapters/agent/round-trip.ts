import type { Http2Session } from 'node:http2'

/** Milliseconds for which a measurement counts. */
const lifetime = 30_000
/** Pings of a measurement, one after the other. */
const pings = 3

/** The round trip of a connection with as little as possible under way. */
export interface RoundTrip {
  /** Milliseconds; 0 before the first measurement. */
  readonly milliseconds: number
  /** Whether it is being measured, and the window should be small. */
  readonly isMeasuring: boolean
  /** Begins to measure, unless the last measurement still counts. */
  measure(): void
  /** Corrects a measurement that was made on a slower line, and has it repeated. */
  limit(milliseconds: number): void
}

/** Measures the round trip of a session with pings. The shortest one counts. */
export function roundTripOf(
  session: Pick<Http2Session, 'ping' | 'destroyed' | 'closed'>,
): RoundTrip {
  let milliseconds = 0
  let isMeasuring = false
  let validUntil = Number.NEGATIVE_INFINITY

  const end = () => {
    isMeasuring = false
    validUntil = performance.now() + lifetime
  }
  const ask = (answered: (passed: number) => void) => {
    if (session.destroyed || session.closed) return end()
    const sentAt = performance.now()
    session.ping((error) => (error ? end() : answered(performance.now() - sentAt)))
  }
  const sample = (left: number, shortest: number): void =>
    ask((passed) => {
      const least = Math.min(passed, shortest)
      if (left > 1) return sample(left - 1, least)
      milliseconds = least
      end()
    })

  return {
    get milliseconds() {
      return milliseconds
    },
    get isMeasuring() {
      return isMeasuring
    },
    measure() {
      if (isMeasuring || performance.now() < validUntil) return
      isMeasuring = true
      // The first answer waits behind data that was sent under the larger window.
      ask(() => sample(pings, Number.POSITIVE_INFINITY))
    },
    limit(longest) {
      if (longest >= milliseconds) return
      milliseconds = longest
      validUntil = Number.NEGATIVE_INFINITY
    },
  }
}
