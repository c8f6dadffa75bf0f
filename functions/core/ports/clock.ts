export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Milliseconds since some moment of this process. Never goes back, and stands still while the
   * machine is suspended: for how long something took, never for when it happened. In a cloud
   * function it also counts the time for which the process was frozen.
   */
  monotonic(): number
  /** Resolves after this time, or at once if the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}
