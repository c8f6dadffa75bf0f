import { type Failure, forbidden, invalid } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import { isAhead } from '../time/clock-skew.ts'
import { type AttemptPorts, accountAttempts, countedAttempt } from './attempt.ts'
import { getAccount } from './change-account.ts'
import { confirmPassword } from './confirm-password.ts'
import { type CodePorts, consumeCode } from './second-factor.ts'
import { accessTokenMax } from './session.ts'
import { passwordHashOf } from './user.ts'

type ConfirmPorts = AttemptPorts & CodePorts & Needs<'passwords'>
type Ports = ConfirmPorts & Needs<'accounts' | 'sessions'>

/**
 * How long after a sign-in nothing more is asked for: as long as its first access token may last,
 * so that a client that knows of no confirmation works after a login. Milliseconds.
 */
const recentSignIn = accessTokenMax

/** What a user sends to confirm an action that a stolen session must not be enough for. */
export interface Confirmation {
  password?: string | undefined
  totp_code?: string | undefined
}

/**
 * Checks that a caller is the user, and not only someone with an open session: by a code if the
 * account has a second factor, else by the password. Neither is needed soon after a sign-in.
 *
 * @throws 400 if the password or the code is wrong, 423 while the account is locked
 * @throws 403 with the reason `confirmation-required` if the sign-in was too long ago and what the
 *   account needs was not sent
 */
export async function confirmIdentity(
  { accountId, sessionId }: { accountId: string; sessionId: string },
  { password, totp_code: code }: Confirmation,
  ports: Ports,
): Promise<void> {
  const account = await getAccount(accountId, ports)
  if (account.mfaEnabled && code !== undefined) return confirmCode(account, code, ports)
  if (!account.mfaEnabled && password !== undefined) {
    return confirmPassword(account, password, 'body.password: is not your password', ports)
  }
  if (!(await isRecent(sessionId, ports))) throw confirmationRequired(account)
}

/**
 * Checks that a caller is the user, however recent the sign-in: by a code if the account has a
 * second factor, else by the password. For a change that gives another way to sign in.
 *
 * @throws 400 if the password or the code is missing or wrong, 423 while the account is locked
 */
export async function confirmAlways(
  account: Account,
  { password, totp_code: code }: Confirmation,
  ports: ConfirmPorts,
): Promise<void> {
  if (account.mfaEnabled) {
    if (code === undefined) throw invalid('body.totp_code: is required: you have a second factor')
    return confirmCode(account, code, ports)
  }
  if (password === undefined) throw invalid('body.password: is required')
  return confirmPassword(account, password, 'body.password: is not your password', ports)
}

async function confirmCode(account: Account, code: string, ports: ConfirmPorts): Promise<void> {
  const attempt = async () => (await consumeCode(account, code, ports)) || undefined
  if (!(await countedAttempt(accountAttempts(account.username), attempt, ports))) {
    throw invalid('body.totp_code: is not a valid code of your second factor')
  }
}

async function isRecent(sessionId: string, { sessions, clock }: Needs<'sessions' | 'clock'>) {
  const session = await sessions.find(sessionId)
  const now = clock.now()
  if (!session || isAhead(session.createdAt, now)) return false
  return now - session.createdAt <= recentSignIn
}

function confirmationRequired(account: Account): Failure {
  const field = account.mfaEnabled
    ? 'send totp_code, or sign in again'
    : passwordHashOf(account) === null
      ? 'sign in again with your identity provider'
      : 'send password, or sign in again'
  return forbidden(`you signed in more than 15 minutes ago: ${field}`, {
    reason: 'confirmation-required',
  })
}
