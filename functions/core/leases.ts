import type { Clock } from './runtime.ts'

/** The exclusive right to work on something, which its holder renews until it is done. */
export interface Lease {
  name: string
  holder: string
  /** Grows with each new holder, so that a late write of an earlier one can be refused. */
  fence: number
  /** How long it lasts after it was acquired or renewed. Milliseconds. */
  length: number
  /** Just before it was last acquired or renewed, on the monotonic clock of this process. */
  renewedAt: number
}

/** A lease at one moment, as any process sees it. */
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
   * True for a held lease that its holder seems to have stopped renewing, by the clocks on the
   * wall. A hint: it is safe to wait for, not to rely on.
   */
  isStale: boolean
}

/**
 * Leases in the store. A lease that is not released is over once its row has stayed the same for
 * its length on the monotonic clock of the process that watches it. Times of two machines are never
 * compared: a clock that is wrong or jumps neither shortens a lease nor makes it last.
 */
export interface Leases {
  /**
   * Acquires a lease, or renews it for its holder. Returns undefined while another holder has it.
   * `length` is in milliseconds.
   */
  acquire(name: string, holder: string, length: number): Promise<Lease | undefined>
  peek(name: string): Promise<LeaseSnapshot>
  /** Acquires a lease that was seen free. Returns undefined if anything wrote its row since. */
  acquireIfUnchanged(
    seen: LeaseSnapshot,
    holder: string,
    length: number,
  ): Promise<Lease | undefined>
  /** Makes a lease last longer. Returns undefined, and changes nothing, if its holder lost it. */
  renew(lease: Lease): Promise<Lease | undefined>
  /**
   * Gives a lease that was just acquired a larger fence than `above`: the row that counted them can
   * be lost, such as with a store that was restored. Returns undefined if the lease is lost.
   */
  raiseFence(lease: Lease, above: number): Promise<Lease | undefined>
  /**
   * Frees a lease; does nothing if another holder has it by now. Calls of this process that ask for
   * the lease meanwhile are answered afterwards.
   */
  release(lease: Lease): Promise<void>
}

/**
 * Returns for how many milliseconds the holder may rely on its lease, by its own monotonic clock.
 * Other processes begin to count later, at the write.
 */
export const timeLeft = ({ renewedAt, length }: Lease, clock: Pick<Clock, 'monotonic'>) =>
  renewedAt + length - clock.monotonic()
