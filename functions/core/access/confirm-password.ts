import { invalid } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import { type AttemptPorts, accountAttempts, countedAttempt } from './attempt.ts'
import { passwordHashOf } from './user.ts'

/**
 * Checks the password of the signed-in user, counted like a login attempt.
 *
 * @param wrong the message of the failure 400
 * @param alsoCheck a further check, run only after the right password
 * @throws 400 if the password is wrong or `alsoCheck` returns false, 423 while the account is
 *   locked
 */
export async function confirmPassword(
  account: Account,
  password: string,
  wrong: string,
  ports: AttemptPorts & Needs<'passwords'>,
  alsoCheck: () => Promise<boolean> = async () => true,
): Promise<void> {
  const verify = async () => {
    const right = await ports.passwords.verify(password, passwordHashOf(account))
    return (right && (await alsoCheck())) || undefined
  }
  const key = accountAttempts(account.username)
  if (!(await countedAttempt(key, verify, ports))) throw invalid(wrong)
}
