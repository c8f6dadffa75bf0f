import { conflict } from '../errors.ts'
import type { Needs } from '../ports.ts'
import type { Account } from './account.ts'

/** What changing the set of admins needs. */
export type AdminPorts = Needs<'accounts' | 'leases' | 'random' | 'clock' | 'background'>

/** An admin who can sign in and reaches every host: one limited to some hosts can manage only users that are limited too. */
export const isActiveAdmin = (account: Pick<Account, 'role' | 'disabled' | 'scopeTags'>) =>
  account.role === 'admin' && !account.disabled && account.scopeTags.length === 0

/**
 * Does work that may make somebody an admin no longer, one at a time among all processes: of two that each leave the
 * other's admin, one would otherwise leave none. Throws a `Failure` 409 when others take too long.
 */
export async function oneAtATime<T>(ports: AdminPorts, work: () => Promise<T>): Promise<T> {
  const holder = ports.random.id()
  for (let tries = 0; tries < 40; tries += 1) {
    const lease = await ports.leases.take('admins', holder, 10_000)
    if (!lease) {
      await ports.clock.sleep(50)
      continue
    }
    try {
      return await work()
    } finally {
      // Not before the answer: a store that hangs would hold it twice. The lease ends by itself, too.
      ports.background.run('release the admins', () => ports.leases.release(lease))
    }
  }
  throw conflict('another change of the admins is under way: try again')
}

/** Throws a `Failure` 409 when that account is the last admin who can sign in and reaches every host. */
export async function refuseLastAdmin(account: Account, ports: Needs<'accounts'>): Promise<void> {
  if (!isActiveAdmin(account)) return
  const others = (await ports.accounts.list()).filter((other) => other.id !== account.id)
  if (!others.some(isActiveAdmin)) throw conflict(`user ${account.username} is the last admin`)
}
