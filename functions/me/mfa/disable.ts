import { changeAccount, getAccount } from '../../core/access/change-account.ts'
import { confirmPassword } from '../../core/access/confirm-password.ts'
import { requireSession } from '../../core/access/grant.ts'
import { consumeCode, withoutFactor } from '../../core/access/second-factor.ts'
import { conflict } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { DisableMfaBody } from './schema.ts'

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
  summary: 'Disable the second factor',
  description:
    'Needs the password and a code or recovery code. Wrong ones count as failed logins. Not allowed with an API token.',
  access: 'signed-in',
  takesIdempotencyKey: false,
  body: DisableMfaBody,
  errors: {
    400: 'The password or the code is wrong',
    403: 'The credential is an API token',
    409: 'The second factor is not enabled',
    423: 'The account is temporarily locked',
  },
  examples: { body: { password: 'correct horse battery', totp_code: '492039' } },

  async run({ body, caller }, ports: Ports) {
    requireSession(caller)
    const account = await getAccount(caller.account.id, ports)
    if (!account.mfaEnabled) throw conflict('the second factor is not enabled')
    const wrong = 'body: the password or the code is wrong'
    const checkCode = () => consumeCode(account, body.totp_code, ports)
    await confirmPassword(account, body.password, wrong, ports, checkCode)
    await changeAccount(account.id, ports, (now) => {
      if (now.secondFactorId !== account.secondFactorId) {
        throw conflict('the second factor was changed by another request')
      }
      return withoutFactor(now)
    })
    if (account.secondFactorId) await ports.secondFactors.remove(account.secondFactorId)
    return undefined
  },
})
