import { conflict, notFound } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import { normalName } from '../records/normal-name.ts'
import { unlock } from './attempt.ts'
import { changeAccount } from './change-account.ts'
import { removeEndedTokens, withoutTokens } from './end-tokens.ts'
import { removePasskeys, withoutPasskeys } from './passkeys.ts'
import { withoutFactor } from './second-factor.ts'

type Ports = Needs<
  | 'accounts'
  | 'apiTokens'
  | 'attempts'
  | 'clock'
  | 'passkeys'
  | 'random'
  | 'secondFactors'
  | 'sessions'
>

/** What a reset changes. */
export interface PasswordReset {
  username: string
  passwordHash: string
  /** Also for someone who lost the second factor. */
  removesSecondFactor: boolean
}

/**
 * Gives an account another password, without asking for rights: for someone on the machine of the
 * service. Unlocks the account, and ends its sessions, API tokens and passkeys. Returns it as
 * written.
 *
 * @throws 404 if there is no such account, 409 if an identity provider signs it in
 */
export async function resetPassword(
  { username, passwordHash, removesSecondFactor }: PasswordReset,
  ports: Ports,
): Promise<Account> {
  const before = await getByName(username, ports)
  const { id, secondFactorId } = before
  const after = await changeAccount(id, ports, (account) => ({
    ...withoutPasskeys(withoutTokens(removesSecondFactor ? withoutFactor(account) : account)),
    passwordHash,
    sessionsValidFrom: ports.clock.now(),
    keptSessionId: null,
  }))
  await removePasskeys(before, ports)
  if (removesSecondFactor && secondFactorId) await ports.secondFactors.remove(secondFactorId)
  await ports.sessions.removeByAccount(id)
  await removeEndedTokens(after, ports)
  await unlock(after.username, ports)
  return after
}

async function getByName(username: string, ports: Needs<'accounts'>): Promise<Account> {
  const account = await ports.accounts.findByUsername(normalName(username))
  if (!account) throw notFound(`there is no user ${username}`)
  if (!account.identity) return account
  throw conflict(`${account.username} signs in with an identity provider and has no password here`)
}
