import type { Broadcast, BroadcastItem, Subscription } from '../streams/broadcast.ts'

/**
 * Publishes the pieces of a stream to `out` until the stream ends or the signal aborts. It awaits
 * `out.ready()` before it publishes more.
 */
export type Source<T extends BroadcastItem> = (
  out: Broadcast<T>,
  signal: AbortSignal,
) => Promise<void>

/** Streams that a process opens once and shares among all followers. */
export interface Streams {
  /**
   * Follows the stream with this key from now on. The first follower starts `source`; when the last
   * one leaves, the source is stopped. Without a key the stream is not shared. The iterator throws
   * the error of the source, or `TooSlow`.
   */
  subscribe<T extends BroadcastItem>(
    key: string | undefined,
    source: Source<T>,
    signal?: AbortSignal,
  ): Subscription<T>
  /**
   * Reads something once for all callers that come while the previous read with this key runs. It
   * never returns what was read before its call.
   */
  read<T>(key: string, read: () => Promise<T>): Promise<T>
  /** Returns whether the stream with this key runs and has published something. */
  hasStarted(key: string): boolean
  /** The number of running streams with a key. */
  readonly size: number
}
