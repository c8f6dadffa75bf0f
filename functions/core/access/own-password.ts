import { invalid } from '../errors.ts'
import type { Needs } from '../ports.ts'
import type { Account } from './account.ts'
import { type AttemptPorts, countedAttempt } from './attempt.ts'

/**
 * Has a signed-in person prove that it is him, counted like a login. Throws a `Failure` 400 with `wrong` when the password
 * is not his, or `besides` (asked only after the right one) says no; 423 while the account is locked.
 */
export async function confirmPassword(
  account: Account,
  password: string,
  wrong: string,
  ports: AttemptPorts & Needs<'passwords'>,
  besides: () => Promise<boolean> = async () => true,
): Promise<void> {
  const verify = async () => {
    const right = await ports.passwords.verify(password, account.passwordHash)
    return (right && (await besides())) || undefined
  }
  if (!(await countedAttempt(account.username, verify, ports))) throw invalid(wrong)
}
