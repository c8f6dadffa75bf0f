/** Limits how much work of each account a process does at the same time, or in a day. */
export interface CallerLimiter {
  /**
   * Runs `work` as soon as fewer requests of the account are running than its limit.
   *
   * @throws 500 if too many requests of the account are already waiting
   */
  run<T>(accountId: string, work: () => Promise<T>): Promise<T>
  /**
   * Counts work of the account that goes on after its response, until the returned function is
   * called.
   *
   * @throws 500 if too much such work is under way
   */
  startInBackground(accountId: string): () => void
  /**
   * Counts whole logs that the account reads at its own pace, each on a stream of an Engine, until
   * the returned function is called.
   *
   * @throws 500 if too many are being read, unless these are the only ones
   */
  startReading(accountId: string, logs: number): () => void

  /**
   * Counts a request of the account that waits for the end of an operation, until the returned
   * function is called.
   *
   * @throws 500 if too many of them wait
   */
  startWaiting(accountId: string): () => void

  /**
   * Counts an apply of an estate, until the returned function is called.
   *
   * @throws 409 if the account has one under way
   */
  startApplying(accountId: string): () => void

  /**
   * Counts a new idempotency key of the account, for a day or until the returned function is
   * called. `now` is the time on the monotonic clock, in milliseconds.
   *
   * @throws 409 if the account has used too many
   */
  takeKey(accountId: string, now: number): () => void
}
