/** Checks of the disk and the store of the service. */
export interface SelfCheck {
  /**
   * Resolves if the data directory and the store accepted a write within the last seconds.
   *
   * @throws 500 with the name of the part that did not
   */
  writable(): Promise<void>
  /**
   * Returns the usage of the disk of the data directory in bytes, or undefined if it is unknown.
   */
  disk(): Promise<DiskUse | undefined>
}

/**
 * The usage of a disk as `df` reports it, in bytes. `total` excludes the space reserved for root.
 */
export interface DiskUse {
  used: number
  total: number
}
