/** What the service knows of its own disk and store. */
export interface SelfCheck {
  /**
   * Resolves when the data directory and the store took a write within the last seconds. Throws a
   * `Failure` 500 that names the part that did not.
   */
  writable(): Promise<void>
  /** Returns how full the disk of the data directory is, 0 to 100; null when that is not known. */
  diskPercent(): Promise<number | null>
}
