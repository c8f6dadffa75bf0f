const second = 1000

/** How much and how long the listener bears with a client. Milliseconds and bytes. */
export interface Limits {
  /** For the whole of a request's head to arrive. */
  headers: number
  /** For the whole of a body of the usual size to arrive; larger ones are given more, see `bodyTime`. */
  body: number
  /** For a handler to answer, but for routes that wait. */
  handler: number
  /** For a client to take some more of an answer. */
  send: number
  /** For the next request on a connection. */
  keepAlive: number
  /** How often slow heads are looked for. */
  check: number
  /** For a refused client to end what it is still sending. */
  linger: number
  /** For requests that are under way when the service stops. */
  drain: number
  /** On stopping, for requests that were sent before their clients could know. */
  grace: number
  headerBytes: number
  bodyBytes: number
  connections: number
  /** Bodies of more than `bodyBytes` that are read and worked on at a time. */
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

/** The time for a body of at most `bytes`: that of the usual size, and a second more for each further 64 KiB. */
export function bodyTime(limits: Limits, bytes: number): number {
  const more = Math.max(0, bytes - limits.bodyBytes)
  return limits.body + Math.ceil(more / (64 * 1024)) * second
}
