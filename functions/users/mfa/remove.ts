import { changeAccount } from '../../core/access/change-account.ts'
import { removeEndedTokens, withoutTokens } from '../../core/access/end-tokens.ts'
import { requireWithin } from '../../core/access/grant.ts'
import { removePasskeys, withoutPasskeys } from '../../core/access/passkeys.ts'
import { rightsOf } from '../../core/access/role.ts'
import { withoutFactor } from '../../core/access/second-factor.ts'
import { forbidden } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { Account } from '../../core/records/account.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { UserPath } from '../schema.ts'

type Ports = Needs<
  'accounts' | 'roles' | 'secondFactors' | 'passkeys' | 'sessions' | 'apiTokens' | 'clock'
>

export default endpoint({
  summary: 'Disable the second factor of a user',
  description:
    'For a user who lost it: from then on the password alone is enough. Also deletes the passkeys of the user. Ends the sessions and API tokens of a user who had a second factor enabled or a passkey. Disable your own with POST /me/mfa/disable.',
  access: 'users:manage',
  path: UserPath,
  errors: {
    403: 'The user has permissions you do not have, or is you',
    404: 'There is no such user',
  },

  async run({ path, caller }, ports: Ports) {
    if (path.id === caller.account.id) {
      throw forbidden('disable your own second factor with POST /me/mfa/disable')
    }
    let before: Account | undefined
    const after = await changeAccount(path.id, ports, async (account) => {
      requireWithin(caller, await rightsOf(account, ports), 'the user')
      before = account
      const next = withoutPasskeys(withoutFactor(account))
      if (!hadFactor(account)) return next
      return withoutTokens({ ...next, sessionsValidFrom: ports.clock.now(), keptSessionId: null })
    })
    if (before && hadFactor(before)) {
      await ports.sessions.removeByAccount(path.id)
      await removeEndedTokens(after, ports)
    }
    if (before?.secondFactorId) await ports.secondFactors.remove(before.secondFactorId)
    await removePasskeys(before, ports)
    return undefined
  },
})

/** Returns whether the user had a second factor, or passkeys, which are one too. */
const hadFactor = ({ mfaEnabled, passkeySetId }: Account) => mfaEnabled || Boolean(passkeySetId)
