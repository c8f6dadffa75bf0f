/** Checks of the disk and the store of the service. */
export interface SelfCheck {
  /**
   * Resolves if the data directory and the store accepted a write within the last seconds.
   *
   * @throws 500 that names the part that did not
   */
  writable(): Promise<void>
  /** Returns the usage of the disk of the data directory, 0 to 100, or null if it is unknown. */
  diskPercent(): Promise<number | null>
}
