import type { Clock } from './clock.ts'

/** The exclusive right to work on something, which its holder renews until it is done. */
export interface Lease {
  name: string
  holder: string
  /** Increases with each new holder, so that late writes of an earlier holder can be refused. */
  fence: number
  /** How long it lasts after it was acquired or renewed, in milliseconds. */
  length: number
  /**
   * The time just before it was last acquired or renewed, on the monotonic clock of this process.
   */
  renewedAt: number
}

/** The state of a lease at one moment, which any process can read. */
export interface LeaseSnapshot {
  name: string
  held: boolean
  /** The current or last holder; null if there never was one. */
  holder: string | null
  /** The fence of that holder; 0 if there never was one. */
  fence: number
  /** Changes with every write; null if there never was one. */
  revision: number | null
  /**
   * The lease is held, but by wall-clock time its holder seems to have stopped renewing it. This is
   * only a hint: use it to decide whether to wait, not to decide that the lease has expired.
   */
  isStale: boolean
  /** It ended without being released. */
  isExpired: boolean
}

/**
 * Leases in the store. An unreleased lease expires once its row has stayed the same for its length,
 * on the monotonic clock of the process that watches it. Times of two machines are never compared,
 * so a clock that is wrong or jumps neither shortens nor extends a lease. A process that cannot
 * watch, such as a cloud function, regards every unreleased lease as held.
 */
export interface Leases {
  /**
   * Acquires a lease, or renews it if `holder` already has it. Returns undefined while another
   * holder has it. `length` is in milliseconds.
   */
  acquire(name: string, holder: string, length: number): Promise<Lease | undefined>
  peek(name: string): Promise<LeaseSnapshot>
  /** Acquires a lease that was seen free. Returns undefined if its row was written since. */
  acquireIfUnchanged(
    seen: LeaseSnapshot,
    holder: string,
    length: number,
  ): Promise<Lease | undefined>
  /** Renews a lease. Returns undefined, and changes nothing, if the holder has lost it. */
  renew(lease: Lease): Promise<Lease | undefined>
  /**
   * Raises the fence of a lease that was just acquired above `above`. The row that counts fences
   * can be lost, such as after a restore of the store. Returns undefined if the lease is lost.
   */
  raiseFence(lease: Lease, above: number): Promise<Lease | undefined>
  /**
   * Releases a lease. Does nothing if another holder has it by now. Calls of this process that ask
   * for the lease in the meantime wait for the release.
   */
  release(lease: Lease): Promise<void>
}

/**
 * Returns for how many milliseconds the holder may still rely on its lease, by its own monotonic
 * clock. Other processes start counting later, when they see the write.
 */
export const timeLeft = ({ renewedAt, length }: Lease, clock: Pick<Clock, 'monotonic'>) =>
  renewedAt + length - clock.monotonic()
