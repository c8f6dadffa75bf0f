import type { Broadcast, Following, Piece } from './broadcast.ts'

/** Brings the pieces of a stream to `out` until it is over, resting while `out.ready()` says so, or until the signal's end. */
export type Source<T extends Piece> = (out: Broadcast<T>, signal: AbortSignal) => Promise<void>

/** Streams that are opened once in a process, however many follow them. */
export interface Streams {
  /**
   * The pieces of the stream of that key from now on. The first follower has `source` begin it, the last one's leaving
   * ends it. Without a key it is for this follower alone. Its iterator throws what the source threw, or `TooSlow`.
   */
  follow<T extends Piece>(
    key: string | undefined,
    source: Source<T>,
    signal?: AbortSignal,
  ): Following<T>
  /** True when the stream of that key runs and has brought something. */
  begun(key: string): boolean
  /** How many run. */
  readonly size: number
}
