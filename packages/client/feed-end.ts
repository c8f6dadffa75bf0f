/** How a feed, or one connection of it, ended. */
export interface FeedEnd {
  /** The close code of the WebSocket; 1006 if the connection was lost. */
  code: number
  /**
   * A reason of the API for programs, such as `host-offline`. Undefined if the subject of the feed
   * ended or the connection was lost.
   */
  reason: string | undefined
  /** Why, for people. */
  message: string
  /** The exit code of the container whose log or stats the feed sent; null if there is none. */
  exitCode?: number | null
}

interface Closing {
  code: number
  reason: string | null
  message: string
  exit_code?: number | null
}

/** Returns how a feed ends, as its last message says; undefined for any other message. */
export function closingOf(message: unknown): FeedEnd | undefined {
  if (typeof message !== 'object' || message === null || !('closing' in message)) return undefined
  const { code, reason, message: text, exit_code: exitCode } = message.closing as Closing
  return {
    code,
    reason: reason ?? undefined,
    message: text,
    ...(exitCode !== undefined && { exitCode }),
  }
}

/** Returns how a feed ended, as the text of its close frame says: `host-offline: …`. */
export function endOfClose(code: number, text: string): FeedEnd {
  const [, reason, message = text] = /^([a-z][a-z-]*): (.*)$/s.exec(text) ?? []
  return { code, reason, message }
}
