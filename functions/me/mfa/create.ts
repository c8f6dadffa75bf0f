import { changeAccount, getAccount } from '../../core/access/change-account.ts'
import { confirmPassword } from '../../core/access/confirm-password.ts'
import { requireSession } from '../../core/access/grant.ts'
import { makeSeed, otpauthUrl } from '../../core/access/totp.ts'
import { passwordHashOf } from '../../core/access/user.ts'
import { conflict } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { BeginMfaBody, NewMfa } from './schema.ts'

type Ports = Needs<
  | 'accounts'
  | 'secondFactors'
  | 'attempts'
  | 'background'
  | 'passwords'
  | 'settings'
  | 'random'
  | 'clock'
>

export default endpoint({
  summary: 'Start setting up a second factor',
  description:
    'Returns the secret for an authenticator app. Logins need no code until POST /me/mfa/verify. Wrong passwords count as failed logins. Not allowed with an API token.',
  access: 'signed-in',
  takesIdempotencyKey: false,
  body: BeginMfaBody,
  returns: NewMfa,
  errors: {
    400: 'The password is wrong',
    403: 'The credential is an API token',
    409: 'The second factor is enabled, or the account has no password',
    423: 'The account is temporarily locked',
  },
  examples: {
    body: { password: 'correct horse battery' },
    returns: {
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      otpauth_url:
        'otpauth://totp/Container%20Stacks:anna?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Container%20Stacks',
    },
  },

  async run({ body, caller }, ports: Ports) {
    requireSession(caller)
    const account = await getAccount(caller.account.id, ports)
    if (passwordHashOf(account) === null) {
      throw conflict('you sign in with an identity provider: set up a second factor there')
    }
    await confirmPassword(account, body.password, 'body.password: is not your password', ports)
    const secret = makeSeed(ports.random.bytes(20))
    const id = ports.random.id()
    const factor = { id, accountId: account.id, secret, lastStep: 0, recoveryHashes: [] }
    await ports.secondFactors.create({ ...factor, createdAt: ports.clock.now() })
    let before: string | null | undefined
    try {
      await changeAccount(account.id, ports, (now) => {
        if (now.mfaEnabled) throw conflict('the second factor is enabled: disable it first')
        before = now.secondFactorId
        return { ...now, secondFactorId: id }
      })
    } catch (error) {
      await ports.secondFactors.remove(id)
      throw error
    }
    if (before) await ports.secondFactors.remove(before)
    return { secret, otpauth_url: otpauthUrl(account.username, secret) }
  },
})
