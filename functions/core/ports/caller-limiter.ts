/** Limits how many requests of each account a process handles at the same time. */
export interface CallerLimiter {
  /**
   * Runs `work` as soon as fewer requests of the account are running than its limit.
   *
   * @throws 500 if too many requests of the account are already waiting
   */
  run<T>(accountId: string, work: () => Promise<T>): Promise<T>
}
