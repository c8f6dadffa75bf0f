import { leaseHeld } from '../errors.ts'
import { timeLeft } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import { acquireWithin } from './acquire-within.ts'

/** The ports that a change under a lock needs. */
export type LockPorts = Needs<'leases' | 'random' | 'clock' | 'background'>

/** What is changed under each lock, by the name of its lease. */
const changes = { admins: 'roles', 'api-tokens': 'API tokens', settings: 'settings' } as const

export type LockName = keyof typeof changes
export const lockNames = Object.keys(changes) as LockName[]

/**
 * Call it right before a write.
 *
 * @throws 409 if too little of the lease is left to finish the write
 */
export type EnsureLock = () => void

/** How long to wait for another change. Milliseconds. */
const timeout = 2_000

/** The time that must be left on the lock for a write, which takes less. Milliseconds. */
const writeTime = 5000

/**
 * Runs a short change that depends on what it reads, under a lease that all processes share.
 *
 * @throws 409 if others hold the lease for more than about 2 s, or this process was held up until
 *   the lease was nearly over
 */
export async function withLock<T>(
  name: LockName,
  ports: LockPorts,
  work: (ensureLock: EnsureLock) => Promise<T>,
): Promise<T> {
  const lease = await acquireWithin(name, { timeout }, ports)
  if (!lease) throw tooLate(name)
  const ensureLock = () => {
    if (timeLeft(lease, ports.clock) < writeTime) throw tooLate(name)
  }
  try {
    return await work(ensureLock)
  } finally {
    // Do not wait for the release: a store that hangs would delay the response twice. The lease
    // also expires on its own.
    const what = `release the lock of changes of ${changes[name]}`
    ports.background.run(what, () => ports.leases.release(lease))
  }
}

const tooLate = (name: LockName) =>
  leaseHeld(`another change of ${changes[name]} is in progress: try again`)
