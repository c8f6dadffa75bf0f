const second = 1000

/** The listener's timeouts and limits. Milliseconds and bytes. */
export interface Limits {
  /** For all headers of a request to arrive. */
  headers: number
  /** For a body of the usual size to arrive. Larger ones get more time, see `bodyTime`. */
  body: number
  /** For a handler to respond, except on routes without a timeout. */
  handler: number
  /** For a client to accept more of a response. */
  send: number
  /** For the next request on a connection. */
  keepAlive: number
  /** The interval of checks for slow headers. */
  check: number
  /** For a refused client to finish what it is sending. */
  linger: number
  /** For requests in progress when the service stops. */
  drain: number
  /** When the service stops, for requests that were sent before their clients could know. */
  grace: number
  headerBytes: number
  bodyBytes: number
  connections: number
  /** Bodies larger than `bodyBytes` that are read and processed concurrently. */
  largeBodies: number
}

export const usualLimits: Limits = {
  headers: 10 * second,
  body: 30 * second,
  handler: 30 * second,
  send: 30 * second,
  keepAlive: 65 * second,
  check: 5 * second,
  linger: 2 * second,
  drain: 25 * second,
  grace: 250,
  headerBytes: 16 * 1024,
  bodyBytes: 1024 * 1024,
  connections: 20_000,
  largeBodies: 1,
}

/**
 * Returns the timeout for a body of at most `bytes`: that of the usual size, plus a second for each
 * further 64 KiB.
 */
export function bodyTime(limits: Limits, bytes: number): number {
  const more = Math.max(0, bytes - limits.bodyBytes)
  return limits.body + Math.ceil(more / (64 * 1024)) * second
}
