import { changeAccount } from '../../core/access/change-account.ts'
import { requireWithin } from '../../core/access/grant.ts'
import { rightsOf } from '../../core/access/role.ts'
import { withoutFactor } from '../../core/access/second-factor.ts'
import { forbidden } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { UserPath } from '../schema.ts'

export default endpoint({
  summary: 'Disable the second factor of a user',
  description:
    'For a user who lost it: from then on the password alone is enough. Disable your own with POST /me/mfa/disable.',
  access: 'users:manage',
  path: UserPath,
  errors: {
    403: 'The user has permissions you do not have, or is you',
    404: 'There is no such user',
  },

  async run({ path, caller }, ports: Needs<'accounts' | 'roles' | 'secondFactors'>) {
    if (path.id === caller.account.id) {
      throw forbidden('disable your own second factor with POST /me/mfa/disable')
    }
    let factorId: string | null | undefined
    await changeAccount(path.id, ports, async (account) => {
      requireWithin(caller, await rightsOf(account, ports), 'the user')
      factorId = account.secondFactorId
      return withoutFactor(account)
    })
    if (factorId) await ports.secondFactors.remove(factorId)
    return undefined
  },
})
