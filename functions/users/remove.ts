import { refuseLastAdmin, withAdminLock } from '../core/access/admins.ts'
import { getAccount } from '../core/access/change-account.ts'
import { requireWithin } from '../core/access/grant.ts'
import { removePasskeys } from '../core/access/passkeys.ts'
import { rightsOf } from '../core/access/role.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { removeMatching } from '../kit/entity-tag.ts'
import { userEdition } from './edition.ts'
import { UserPath } from './schema.ts'

type Ports = Needs<
  | 'accounts'
  | 'roles'
  | 'secondFactors'
  | 'passkeys'
  | 'sessions'
  | 'apiTokens'
  | 'leases'
  | 'background'
  | 'random'
  | 'clock'
>

export default endpoint({
  summary: 'Delete a user',
  description:
    'Also deletes the user’s sessions, passkeys and API tokens. Backup jobs and jobs of stacks that act as the user are blocked until someone takes them over.',
  access: 'users:manage',
  path: UserPath,
  takesIfMatch: true,
  errors: {
    403: 'The user has permissions you do not have',
    404: 'There is no such user',
    409: 'The user is the last admin',
  },

  async run({ path, caller, ifMatch }, ports: Ports) {
    const removed = await withAdminLock(ports, async (ensureLock) => {
      const account = await getAccount(path.id, ports)
      requireWithin(caller, await rightsOf(account, ports), 'the user')
      ifMatch.check(userEdition(account))
      await refuseLastAdmin(account, ports)
      ensureLock()
      if (!(await removeMatching(account, ports.accounts, ifMatch)))
        throw notFound('there is no such user')
      return account
    })
    // Only cleanup: sessions, second factor, passkeys and tokens are invalid without their account.
    await ports.sessions.removeByAccount(path.id)
    if (removed.secondFactorId) await ports.secondFactors.remove(removed.secondFactorId)
    await removePasskeys(removed, ports)
    for (const token of await ports.apiTokens.list(path.id)) await ports.apiTokens.remove(token.id)
    return undefined
  },
})
