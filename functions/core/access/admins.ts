import { conflict } from '../errors.ts'
import { type EnsureLock, type LockPorts, withLock } from '../leases/with-lock.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'

/**
 * Returns whether an account is an admin who can sign in and reaches every host. An admin limited
 * to some hosts can manage only users that are limited too.
 */
export const isActiveAdmin = (account: Pick<Account, 'role' | 'disabled' | 'scopeTags'>) =>
  account.role === 'admin' && !account.disabled && account.scopeTags.length === 0

/**
 * Runs work that changes which account has which role. Without the lock, two requests that each
 * demote the other's admin could leave no admin, and a role could be deleted while an account gets
 * it.
 *
 * @throws 409 if the lock cannot be had in time; see `withLock`
 */
export const withAdminLock = <T>(
  ports: LockPorts,
  work: (ensureLock: EnsureLock) => Promise<T>,
): Promise<T> => withLock('admins', ports, work)

/** @throws 409 if the account is the last admin who can sign in and reaches every host */
export async function refuseLastAdmin(account: Account, ports: Needs<'accounts'>): Promise<void> {
  if (!isActiveAdmin(account)) return
  const others = (await ports.accounts.list()).filter((other) => other.id !== account.id)
  if (!others.some(isActiveAdmin)) throw conflict(`user ${account.username} is the last admin`)
}
