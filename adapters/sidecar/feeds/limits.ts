const second = 1000

/** Limits for the clients of feeds. Bytes and milliseconds. */
export interface FeedLimits {
  /** Feeds open at the same time. Leaves room for requests. */
  feeds: number
  /** The size of one message from a client. */
  messageBytes: number
  /** Received from a client and not yet read by the feed. */
  incomingBytes: number
  /** To open or refuse a feed. */
  opening: number
  /** Between two pings. A client that did not respond to the last one is dead. */
  ping: number
  /** For the client to answer the close. */
  closing: number
  /** Between checks of all clients' permissions. */
  recheck: number
}

export const usualFeedLimits: FeedLimits = {
  feeds: 15_000,
  messageBytes: 64 * 1024,
  incomingBytes: 64 * 1024,
  opening: 20 * second,
  ping: 30 * second,
  closing: 5 * second,
  recheck: 3 * second,
}
