import { accountAttempts, countedAttempt } from '../../core/access/attempt.ts'
import { changeAccount, getAccount } from '../../core/access/change-account.ts'
import { removeEndedTokens, withoutTokens } from '../../core/access/end-tokens.ts'
import { requireSession } from '../../core/access/grant.ts'
import { consumeCode } from '../../core/access/second-factor.ts'
import { makeRecoveryCodes, recoveryBytes, recoveryHash } from '../../core/access/totp.ts'
import { conflict, invalid } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { Account, SecondFactor } from '../../core/records/account.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { RecoveryCodes, VerifyMfaBody } from './schema.ts'

type Ports = Needs<
  | 'accounts'
  | 'secondFactors'
  | 'attempts'
  | 'background'
  | 'sessions'
  | 'apiTokens'
  | 'settings'
  | 'random'
  | 'clock'
>

/** How long a new seed can be confirmed, in milliseconds. */
const setupTime = 15 * 60_000

export default endpoint({
  summary: 'Enable the second factor',
  description:
    'Takes a code of the app that has the secret from POST /me/mfa, at most 15 minutes later, and returns ten recovery codes, which are shown only once. From then on logins need a code. Ends all your other sessions, and with `end_api_tokens` all your API tokens. Wrong codes count as failed logins.',
  access: 'signed-in',
  takesIdempotencyKey: false,
  body: VerifyMfaBody,
  returns: RecoveryCodes,
  errors: {
    400: 'The code is wrong',
    403: 'The credential is an API token',
    409: 'The second factor is enabled, or its set-up was not started or was confirmed before',
    423: 'The account is temporarily locked',
  },
  examples: {
    body: { totp_code: '492039' },
    returns: { recovery_codes: ['MFRGGZDFMZTWQ2LKNNWG', 'ONSWG4TFOQWXMYLMOVSS'] },
  },

  async run({ body, caller }, ports: Ports) {
    const sessionId = requireSession(caller)
    const account = await getAccount(caller.account.id, ports)
    await requirePending(account, ports)
    const codes = makeRecoveryCodes(ports.random.bytes(recoveryBytes))
    const recoveryHashes = codes.map(recoveryHash)
    const change = (factor: SecondFactor) => {
      // Another request, with another code, may be about to show its own recovery codes.
      if (factor.recoveryHashes.length > 0) throw alreadyConfirmed()
      return { recoveryHashes }
    }
    const consume = () => consumeCode(account, body.totp_code, ports, change)
    const attempt = async () => (await consume()) || undefined
    const right = await countedAttempt(accountAttempts(account.username), attempt, ports)
    if (!right) throw invalid('body.totp_code: is not a valid code of the new second factor')
    const after = await changeAccount(account.id, ports, (now) => {
      if (now.mfaEnabled) throw alreadyOn()
      if (now.secondFactorId !== account.secondFactorId) throw notBegun()
      const since = ports.clock.now()
      const kept = { sessionsValidFrom: since, keptSessionId: sessionId }
      const next = { ...now, mfaEnabled: true, ...kept }
      return body.end_api_tokens ? withoutTokens(next) : next
    })
    await ports.sessions.removeByAccount(account.id, sessionId)
    if (body.end_api_tokens) await removeEndedTokens(after, ports)
    return { recovery_codes: codes }
  },
})

const alreadyOn = () => conflict('the second factor is enabled')
const alreadyConfirmed = () =>
  conflict('another request has confirmed this set-up: start again with POST /me/mfa')
const notBegun = () =>
  conflict('the set-up was not started or has expired: start with POST /me/mfa')

async function requirePending(account: Account, ports: Needs<'secondFactors' | 'clock'>) {
  if (account.mfaEnabled) throw alreadyOn()
  const { secondFactorId: id } = account
  const factor = id ? await ports.secondFactors.find(id) : undefined
  if (!factor || factor.createdAt + setupTime <= ports.clock.now()) throw notBegun()
}
