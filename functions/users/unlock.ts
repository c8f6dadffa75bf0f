import { unlock } from '../core/access/attempt.ts'
import { getAccount } from '../core/access/change-account.ts'
import { requireWithin } from '../core/access/grant.ts'
import { rightsOf } from '../core/access/role.ts'
import { showUser, User } from '../core/access/user.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { UserPath, userExample } from './schema.ts'

export default endpoint({
  summary: 'Unlock a user',
  description: 'Ends the lock after failed logins and resets their count.',
  access: 'users:manage',
  path: UserPath,
  returns: User,
  errors: { 403: 'The user has permissions you do not have', 404: 'There is no such user' },
  examples: { returns: userExample },

  async run(
    { path, caller },
    ports: Needs<'accounts' | 'roles' | 'attempts' | 'random' | 'clock' | 'settings'>,
  ) {
    const account = await getAccount(path.id, ports)
    requireWithin(caller, await rightsOf(account, ports), 'the user')
    await unlock(account.username, ports)
    return showUser(account, ports)
  },
})
