import { conflict } from '../errors.ts'
import { timeLeft } from '../leases.ts'
import type { Needs } from '../ports.ts'
import type { Account } from './account.ts'

/** What changing the set of admins needs. */
export type AdminPorts = Needs<'leases' | 'random' | 'clock' | 'background'>

/** An admin who can sign in and reaches every host: one limited to some hosts can manage only users that are limited too. */
export const isActiveAdmin = (account: Pick<Account, 'role' | 'disabled' | 'scopeTags'>) =>
  account.role === 'admin' && !account.disabled && account.scopeTags.length === 0

/** Throws a `Failure` 409 when the right to go on has become doubtful. Called right before a write. */
export type StillOurs = () => void

/** How long the right lasts, and how much of it must be left for a write: more than any write takes. Milliseconds. */
const rightTime = 10_000
const writeTime = 5000

/**
 * Does work on who has which role, one at a time among all processes: of two that each leave the other's admin, one
 * would otherwise leave none, and a role could go while somebody gets it. Throws a `Failure` 409 when others take too
 * long, or this process was held up for so long that others may have begun.
 */
export async function oneAtATime<T>(
  ports: AdminPorts,
  work: (stillOurs: StillOurs) => Promise<T>,
): Promise<T> {
  const holder = ports.random.id()
  for (let tries = 0; tries < 40; tries += 1) {
    const lease = await ports.leases.acquire('admins', holder, rightTime)
    if (!lease) {
      await ports.clock.sleep(50)
      continue
    }
    const stillOurs = () => {
      if (timeLeft(lease, ports.clock) < writeTime) throw tooLate()
    }
    try {
      return await work(stillOurs)
    } finally {
      // Not before the answer: a store that hangs would hold it twice. The lease ends by itself, too.
      ports.background.run('release the admins', () => ports.leases.release(lease))
    }
  }
  throw tooLate()
}

const tooLate = () => conflict('another change of roles is under way: try again')

/** Throws a `Failure` 409 when that account is the last admin who can sign in and reaches every host. */
export async function refuseLastAdmin(account: Account, ports: Needs<'accounts'>): Promise<void> {
  if (!isActiveAdmin(account)) return
  const others = (await ports.accounts.list()).filter((other) => other.id !== account.id)
  if (!others.some(isActiveAdmin)) throw conflict(`user ${account.username} is the last admin`)
}
