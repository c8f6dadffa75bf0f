/** Rows that are watched at most; the one that was first seen longest ago is forgotten first. */
const watchedMax = 10_000

/**
 * When this process first saw each lease row as it is now. A row that stays the same for the length
 * of its lease was not renewed: its holder is gone.
 */
export class LeaseWatch {
  readonly #seen = new Map<string, { revision: number; since: number }>()

  /**
   * Returns for how long a row has been the same, in milliseconds of a monotonic clock.
   *
   * @param asked just before the row was read
   * @param answered just after it
   */
  unchangedFor(name: string, revision: number, asked: number, answered: number): number {
    const seen = this.#seen.get(name)
    if (seen?.revision === revision) return asked - seen.since
    this.#seen.delete(name)
    this.#seen.set(name, { revision, since: answered })
    if (this.#seen.size > watchedMax) this.#seen.delete(this.#seen.keys().next().value!)
    return 0
  }

  forget(name: string): void {
    this.#seen.delete(name)
  }
}
