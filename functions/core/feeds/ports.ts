import type { Broadcast, Following, Piece } from './broadcast.ts'

/**
 * Publishes the pieces of a stream to `out` until the stream ends or the signal aborts. It awaits
 * `out.ready()` before it publishes more.
 */
export type Source<T extends Piece> = (out: Broadcast<T>, signal: AbortSignal) => Promise<void>

/** Streams that a process opens once and shares among all followers. */
export interface Streams {
  /**
   * Follows the stream with this key from now on. The first follower starts `source`; when the last
   * one leaves, the source is stopped. Without a key the stream is not shared. The iterator throws
   * the error of the source, or `TooSlow`.
   */
  follow<T extends Piece>(
    key: string | undefined,
    source: Source<T>,
    signal?: AbortSignal,
  ): Following<T>
  /** Returns whether the stream with this key runs and has published something. */
  begun(key: string): boolean
  /** The number of running streams with a key. */
  readonly size: number
}
