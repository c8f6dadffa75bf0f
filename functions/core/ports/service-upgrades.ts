import type { UpgradeImage, UpgradeJournal } from '../records/upgrade-journal.ts'

/** An upgrade to start. */
export interface ServiceUpgrade {
  /** The ID of the operation. */
  id: string
  /** The container that this process runs in. */
  containerId: string
  to: UpgradeImage
}

/**
 * Replaces the container of the service by one of another image. A helper container does it, which
 * survives this process.
 */
export interface ServiceUpgrades {
  /**
   * Starts the helper container. Resolves once it works; soon after, it stops this process.
   *
   * @throws 409 if this container cannot be replaced, or an upgrade runs
   * @throws 500 if the helper does not work; then nothing is left of it
   */
  start(upgrade: ServiceUpgrade): Promise<void>
  /** Returns the upgrade that was started last; undefined if there is none that can be read. */
  last(): Promise<UpgradeJournal | undefined>
  /**
   * Returns when this process first saw that the last upgrade goes on, by a clock that never jumps,
   * in milliseconds; undefined if none goes on.
   */
  openSince(): Promise<number | undefined>
  /**
   * Removes the helper container of an upgrade that has ended, and the replaced container a day
   * after. Starts a helper that was stopped. Ends an upgrade as `not_started` if its helper never
   * ran. Looks at what has ended at most once a minute, and no more once nothing is left.
   *
   * @param now milliseconds since the epoch
   * @param isClockTrusted if not, the replaced container is kept for a day of this process
   * @throws Error if the record of the upgrade is damaged
   */
  tidy(now: number, isClockTrusted: boolean): Promise<void>
}
