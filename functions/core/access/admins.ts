import { conflict } from '../errors.ts'
import { acquireWithin } from '../leases/acquire-within.ts'
import { timeLeft } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'

/** The ports that a change to the set of admins needs. */
export type AdminPorts = Needs<'leases' | 'random' | 'clock' | 'background'>

/**
 * Returns whether an account is an admin who can sign in and reaches every host. An admin limited
 * to some hosts can manage only users that are limited too.
 */
export const isActiveAdmin = (account: Pick<Account, 'role' | 'disabled' | 'scopeTags'>) =>
  account.role === 'admin' && !account.disabled && account.scopeTags.length === 0

/**
 * Call it right before a write.
 *
 * @throws 409 if too little of the lease is left to finish the write
 */
export type EnsureLock = () => void

/** The name of the lease under which the set of admins is changed. */
export const adminLease = 'admins'
/** How long to wait for another change. Milliseconds. */
const timeout = 2_000
/** The time that must be left on the lock for a write, which takes less. Milliseconds. */
const writeTime = 5000

/**
 * Runs work that changes which account has which role, under a lease that all processes share.
 * Without it, two requests that each demote the other's admin could leave no admin, and a role
 * could be deleted while an account gets it.
 *
 * @throws 409 if others hold the lease for more than about 2 s, or this process was held up until
 *   the lease was nearly over
 */
export async function withAdminLock<T>(
  ports: AdminPorts,
  work: (ensureLock: EnsureLock) => Promise<T>,
): Promise<T> {
  const lease = await acquireWithin(adminLease, { timeout }, ports)
  if (!lease) throw tooLate()
  const ensureLock = () => {
    if (timeLeft(lease, ports.clock) < writeTime) throw tooLate()
  }
  try {
    return await work(ensureLock)
  } finally {
    // Do not wait for the release: a store that hangs would delay the response twice. The lease
    // also expires on its own.
    ports.background.run('release the lock of admin changes', () => ports.leases.release(lease))
  }
}

const tooLate = () =>
  conflict('another change of roles is in progress: try again', { reason: 'lease-held' })

/** @throws 409 if the account is the last admin who can sign in and reaches every host */
export async function refuseLastAdmin(account: Account, ports: Needs<'accounts'>): Promise<void> {
  if (!isActiveAdmin(account)) return
  const others = (await ports.accounts.list()).filter((other) => other.id !== account.id)
  if (!others.some(isActiveAdmin)) throw conflict(`user ${account.username} is the last admin`)
}
