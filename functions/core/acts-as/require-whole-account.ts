import { currentActor } from '../access/actor.ts'
import { forbidden } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'

/** Returns whether a caller may do all that its account may: a token may do less. */
export async function isWholeAccount(
  { account, permissions, scopeTags }: Caller,
  ports: Needs<'accounts' | 'roles'>,
): Promise<boolean> {
  const whole = await currentActor(account.id, ports)
  return (
    whole !== undefined &&
    [...whole.permissions].every((one) => permissions.has(one)) &&
    (scopeTags.length === 0 || whole.scopeTags.length > 0) &&
    whole.scopeTags.every((tag) => scopeTags.includes(tag))
  )
}

/**
 * Refuses a token that may do less than its account: the work acts as the account.
 *
 * @param work such as `a hook`
 * @throws 403
 */
export async function requireWholeAccount(
  caller: Caller,
  work: string,
  ports: Needs<'accounts' | 'roles'>,
): Promise<void> {
  if (await isWholeAccount(caller, ports)) return
  throw forbidden(
    `${work} acts as your account, and this token may do less than the account: sign in, or use a token with all of its permissions`,
  )
}
