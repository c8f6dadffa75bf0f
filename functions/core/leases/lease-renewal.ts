import { Failure } from '../errors.ts'
import { ignoreError } from '../ignore-error.ts'
import { type Lease, timeLeft } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import { markHandled } from '../promises.ts'

/**
 * The length of a lease that is renewed, which is how long its subject stays locked after its
 * holder died. It allows for two renewals that fail. Milliseconds.
 */
export const leaseTime = 10_000
/** How often a lease is renewed. Milliseconds. */
const interval = 3_000

/**
 * The lease has expired and another process may have acquired it. The process must stop writing:
 * the work now belongs to the next holder.
 */
export class LostLease extends Failure {
  constructor() {
    super(500, 'this process was stalled for so long that another one took over', {
      reason: 'lease-held',
    })
    this.name = 'LostLease'
  }
}

/** A lease that is renewed while work is under way. */
export interface HeldLease {
  readonly fence: number
  /** Aborted when the lease is lost or the work is to stop. */
  readonly signal: AbortSignal
  /**
   * Resolves if at least this many milliseconds of the lease are left, after renewing it if
   * necessary. Call it before anything that may take this long and must not happen twice.
   *
   * @throws LostLease if the lease cannot be renewed
   */
  ensure(milliseconds: number): Promise<void>
}

/**
 * Does work under a lease, renews the lease in the meantime and releases it afterwards. The signal
 * of the work is aborted when the lease is lost, or when `signal` is.
 */
export async function withLeaseRenewal<T>(
  lease: Lease,
  signal: AbortSignal,
  ports: Needs<'leases' | 'clock'>,
  work: (held: HeldLease) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const renewal = new Renewal(lease, signal, ports)
  const renewing = markHandled(renewal.renewUntil(over.signal))
  try {
    return await work(renewal)
  } finally {
    over.abort()
    await renewing
    // The lease also expires on its own, and the work is done even if this fails.
    await ports.leases.release(lease).catch(ignoreError('release a lease'))
  }
}

/**
 * Does work that must end before a lease is used, and renews the lease meanwhile without releasing
 * it. Returns the result, and the lease as it was just renewed.
 *
 * @throws LostLease if the lease was lost, and what the store throws
 */
export async function keepLease<T>(
  lease: Lease,
  ports: Needs<'leases' | 'clock'>,
  work: () => Promise<T>,
): Promise<{ result: T; lease: Lease }> {
  const over = new AbortController()
  const renewal = new Renewal(lease, over.signal, ports)
  const renewing = markHandled(renewal.renewUntil(over.signal))
  let result: T
  try {
    result = await work()
  } finally {
    // Two renewals at the same time would take the lease from each other.
    over.abort()
    await renewing
  }
  const renewed = await ports.leases.renew(renewal.lease)
  if (!renewed) throw new LostLease()
  return { result, lease: renewed }
}

class Renewal implements HeldLease {
  readonly fence: number
  readonly signal: AbortSignal
  readonly #lost = new AbortController()
  readonly #ports: Needs<'leases' | 'clock'>
  #lease: Lease
  #needed: Promise<boolean> | undefined

  constructor(lease: Lease, signal: AbortSignal, ports: Needs<'leases' | 'clock'>) {
    this.fence = lease.fence
    this.signal = AbortSignal.any([signal, this.#lost.signal])
    this.#lease = lease
    this.#ports = ports
  }

  get lease(): Lease {
    return this.#lease
  }

  async ensure(milliseconds: number): Promise<void> {
    if (this.#lost.signal.aborted) throw new LostLease()
    if (timeLeft(this.#lease, this.#ports.clock) >= milliseconds) return
    // Steps that begin together need one renewal: many at once would be in each other's way.
    this.#needed ??= markHandled(
      this.#tryRenew().finally(() => {
        this.#needed = undefined
      }),
    )
    if (!(await this.#needed)) this.#lose()
    if (this.#lost.signal.aborted) throw new LostLease()
  }

  async renewUntil(over: AbortSignal): Promise<void> {
    while (!over.aborted && !this.#lost.signal.aborted) {
      await this.#ports.clock.sleep(interval, over)
      if (over.aborted) return
      // While the lease lasts, the store may respond to the next try.
      if (await this.#tryRenew()) continue
      if (timeLeft(this.#lease, this.#ports.clock) <= 0) this.#lose()
    }
  }

  /** Renews the lease unless it is lost. Returns false if the store fails. */
  async #tryRenew(): Promise<boolean> {
    try {
      const renewed = await this.#ports.leases.renew(this.#lease)
      if (renewed) this.#lease = renewed
      else this.#lose()
      return true
    } catch (error) {
      ignoreError('renew a lease')(error)
      return false
    }
  }

  #lose(): void {
    this.#lost.abort()
  }
}
