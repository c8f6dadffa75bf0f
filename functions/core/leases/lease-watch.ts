import { evictOldest } from '../evict-oldest.ts'

/**
 * Maximum number of watched rows. The row whose current revision was seen first is evicted first.
 */
const watchedMax = 10_000

/**
 * Records when this process first saw each lease row in its current revision. A row that stays the
 * same for the length of its lease was not renewed, so the lease has expired.
 */
export class LeaseWatch {
  readonly #seen = new Map<string, { revision: number; since: number }>()

  /**
   * Returns how long this process has seen a row unchanged, in milliseconds of a monotonic clock.
   *
   * @param asked the time just before the row was read
   * @param answered the time just after it was read
   */
  unchangedFor(name: string, revision: number, asked: number, answered: number): number {
    const seen = this.#seen.get(name)
    if (seen?.revision === revision) return asked - seen.since
    this.#seen.delete(name)
    this.#seen.set(name, { revision, since: answered })
    evictOldest(this.#seen, watchedMax)
    return 0
  }

  forget(name: string): void {
    this.#seen.delete(name)
  }
}
