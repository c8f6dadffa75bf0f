import { changeAccount, getAccount } from '../../core/access/change-account.ts'
import { confirmPassword } from '../../core/access/confirm-password.ts'
import { removeEndedTokens, withoutTokens } from '../../core/access/end-tokens.ts'
import { requireSession } from '../../core/access/grant.ts'
import { removePasskeys, withoutPasskeys } from '../../core/access/passkeys.ts'
import { conflict } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { Account } from '../../core/records/account.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { ChangePasswordBody } from '../schema.ts'

type Ports = Needs<
  | 'accounts'
  | 'attempts'
  | 'background'
  | 'passkeys'
  | 'passwords'
  | 'sessions'
  | 'apiTokens'
  | 'settings'
  | 'random'
  | 'clock'
>

export default endpoint({
  summary: 'Change your password',
  description:
    'Ends all your other sessions, with `end_api_tokens` also all your API tokens, and with `end_passkeys` deletes all your passkeys, which sign in without a password. Wrong current passwords count as failed logins. Not allowed with an API token.',
  access: 'signed-in',
  body: ChangePasswordBody,
  errors: {
    400: 'The current password is wrong',
    403: 'The credential is an API token',
    409: 'The password was changed by another request',
    423: 'The account is temporarily locked',
  },
  examples: { body: { current_password: 'correct horse battery', password: 'staple the battery' } },

  async run({ body, caller }, ports: Ports) {
    const sessionId = requireSession(caller)
    const account = await getAccount(caller.account.id, ports)
    const wrong = 'body.current_password: is not your password'
    await confirmPassword(account, body.current_password, wrong, ports)
    const passwordHash = await ports.passwords.hash(body.password)
    let before: Account | undefined
    const after = await changeAccount(account.id, ports, (now) => {
      before = now
      if (now.passwordHash !== account.passwordHash)
        throw conflict('the password was changed by another request')
      const since = ports.clock.now()
      const next = { ...now, passwordHash, sessionsValidFrom: since, keptSessionId: sessionId }
      const kept = body.end_passkeys ? withoutPasskeys(next) : next
      return body.end_api_tokens ? withoutTokens(kept) : kept
    })
    await ports.sessions.removeByAccount(account.id, sessionId)
    if (body.end_api_tokens) await removeEndedTokens(after, ports)
    if (body.end_passkeys) await removePasskeys(before, ports)
    return undefined
  },
})
