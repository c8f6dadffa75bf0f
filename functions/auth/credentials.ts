import type { z } from 'zod'
import {
  type AttemptPorts,
  accountAttempts,
  countedAttempt,
  strangerAttempts,
} from '../core/access/attempt.ts'
import { consumePasskey, type PasskeyPorts } from '../core/access/passkeys.ts'
import { requireRelyingParty } from '../core/access/relying-party.ts'
import { type CodePorts, consumeCode } from '../core/access/second-factor.ts'
import { passwordHashOf } from '../core/access/user.ts'
import { unauthenticated } from '../core/errors.ts'
import type { Stored } from '../core/ports/collection.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Account } from '../core/records/account.ts'
import { normalName, normalNameMax } from '../core/records/normal-name.ts'
import type { AuditNote } from '../kit/audit-row.ts'
import { requireChallenge } from './passkeys/require-challenge.ts'
import type { LoginBody } from './schema.ts'

type Body = z.output<typeof LoginBody>
type FactorPorts = CodePorts & PasskeyPorts & Needs<'site'>
type Ports = AttemptPorts & FactorPorts & Needs<'accounts' | 'browserSecrets' | 'passwords'>

/**
 * Returns what `begin` makes of the account that the credentials belong to, as one counted attempt.
 *
 * @param note adds the account to the audit row
 * @param begin starts a session; returns undefined if the credentials are no longer valid
 * @throws 401 if the credentials are wrong or not enough, 423 while the account is locked
 * @throws 409 if there is a passkey and the address of the service allows none
 */
export async function logIn<T>(
  body: Body,
  note: (more: AuditNote) => void,
  ports: Ports,
  begin: (account: Stored<Account>) => Promise<T | undefined>,
): Promise<{ account: Account; begun: T }> {
  if (body.passkey) requireChallenge(body.passkey, ports)
  // Resolved after a failed response, whose timing must not reveal whether the user exists.
  note({ user: () => accountNamed(body.username, ports) })
  const verify = () => verifyCredentials(body, ports)
  const key = await attemptsAt(body.username, ports)
  const found = await countedAttempt(key, verify, ports, verdictOf)
  if (found && !found.isEnough) throw codeRequired()
  const account = found?.account
  const session = account && (await begin(account))
  if (!session) throw wrongCredentials(body)
  return { account, begun: session }
}

/** Returns the key under which attempts at a user name are counted. */
async function attemptsAt(username: string, ports: Needs<'accounts' | 'browserSecrets'>) {
  const account = await accountOrNone(username, ports)
  return account ? accountAttempts(username) : strangerAttempts(username, ports)
}

/** Returns the account of a user name as it was typed. */
async function accountNamed(username: string, ports: Needs<'accounts'>) {
  const name = normalName(username)
  return name.length <= normalNameMax ? ports.accounts.findByUsername(name) : undefined
}

/** Returns the same. An unknown name costs the read of an account too, so it takes as long. */
const accountOrNone = async (username: string, ports: Needs<'accounts'>) =>
  (await accountNamed(username, ports)) ?? ports.accounts.find('nobody')

/** The message depends only on the request, never on the account. */
const wrongCredentials = ({ totp_code: code, passkey }: Body) =>
  unauthenticated(
    passkey
      ? 'the user name, the password or the passkey is wrong'
      : code === undefined
        ? 'the user name or the password is wrong'
        : 'the user name, the password or the code is wrong',
  )

const codeRequired = () =>
  unauthenticated('TOTP code required', { headers: { 'WWW-Authenticate': 'TOTP' } })

/** The right password without a code neither counts as a failure nor resets the failure count. */
const verdictOf = ({ isEnough }: { isEnough: boolean }) => (isEnough ? 'right' : 'released')

/**
 * Returns the account that the credentials belong to, and whether they are enough to log in. The
 * second factor is checked only after the password. Takes as long if no account has that name.
 */
async function verifyCredentials(body: Body, ports: Needs<'accounts' | 'passwords'> & FactorPorts) {
  const account = await accountOrNone(body.username, ports)
  const right = await ports.passwords.verify(body.password, account && passwordHashOf(account))
  if (!right || !account || account.disabled) return undefined
  if (!account.mfaEnabled) return { account, isEnough: true }
  const isTaken = await consumeFactor(account, body, ports)
  if (isTaken === undefined) return { account, isEnough: false }
  return isTaken ? { account, isEnough: true } : undefined
}

/** Returns whether the second factor is right, or undefined if there is none in the request. */
async function consumeFactor(
  account: Account,
  { totp_code: code, passkey }: Body,
  ports: FactorPorts,
): Promise<boolean | undefined> {
  if (passkey) return consumePasskey(account, passkey, requireRelyingParty(ports.site), ports)
  return code === undefined ? undefined : consumeCode(account, code, ports)
}
