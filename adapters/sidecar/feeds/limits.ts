const second = 1000

/** How much and how long the feeds bear with a client. Bytes and milliseconds. */
export interface FeedLimits {
  /** Feeds that are open at one time: requests find room beside them. */
  feeds: number
  /** Of a message that a client sends. */
  messageBytes: number
  /** That wait to be sent before more is asked of a feed. */
  sendBytes: number
  /** That a client has sent and the feed has not taken. */
  incomingBytes: number
  /** For a feed to open or refuse. */
  opening: number
  /** Between two pings; a client that gave no sign since the last one is dead. */
  ping: number
  /** For a client to answer the close. */
  closing: number
  /** Between two looks at the rights of all clients. */
  recheck: number
}

export const usualFeedLimits: FeedLimits = {
  feeds: 15_000,
  messageBytes: 64 * 1024,
  sendBytes: 64 * 1024,
  incomingBytes: 64 * 1024,
  opening: 20 * second,
  ping: 30 * second,
  closing: 5 * second,
  recheck: 3 * second,
}
