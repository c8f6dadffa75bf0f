import { conflict } from '../errors.ts'
import { timeLeft } from '../leases.ts'
import type { Needs } from '../ports.ts'
import type { Account } from './account.ts'

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
export type StillOurs = () => void

/**
 * The duration of the lease, and the time that must be left on it for a write, which takes less.
 * Milliseconds.
 */
const rightTime = 10_000
const writeTime = 5000
/**
 * How long to wait for another change, and for the lease of a process that seems to have ended.
 * Such a lease is over once it was watched for its length. Milliseconds.
 */
const pause = 50
const usualWait = 2_000
const staleWait = rightTime + 2_000

/**
 * Runs work that changes which account has which role, under a lease that all processes share.
 * Without it, two requests that each demote the other's admin could leave no admin, and a role
 * could be deleted while an account gets it.
 *
 * @throws 409 if others hold the lease for more than about 2 s, or this process was held up until
 *   the lease was nearly over
 */
export async function oneAtATime<T>(
  ports: AdminPorts,
  work: (stillOurs: StillOurs) => Promise<T>,
): Promise<T> {
  const holder = ports.random.id()
  for (let waited = 0; ; waited += pause) {
    const lease = await ports.leases.acquire('admins', holder, rightTime)
    if (!lease) {
      const { isStale } = await ports.leases.peek('admins')
      if (waited > (isStale ? staleWait : usualWait)) throw tooLate()
      await ports.clock.sleep(pause)
      continue
    }
    const stillOurs = () => {
      if (timeLeft(lease, ports.clock) < writeTime) throw tooLate()
    }
    try {
      return await work(stillOurs)
    } finally {
      // Do not wait for the release: a store that hangs would delay the response twice. The
      // lease also expires on its own.
      ports.background.run('release the admins', () => ports.leases.release(lease))
    }
  }
}

const tooLate = () => conflict('another change of roles is in progress: try again')

/** @throws 409 if the account is the last admin who can sign in and reaches every host */
export async function refuseLastAdmin(account: Account, ports: Needs<'accounts'>): Promise<void> {
  if (!isActiveAdmin(account)) return
  const others = (await ports.accounts.list()).filter((other) => other.id !== account.id)
  if (!others.some(isActiveAdmin)) throw conflict(`user ${account.username} is the last admin`)
}
