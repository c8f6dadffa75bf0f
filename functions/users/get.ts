import { getAccount } from '../core/access/change-account.ts'
import { showUser, User } from '../core/access/user.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { userEdition } from './edition.ts'
import { UserPath, userExample } from './schema.ts'

export default endpoint({
  summary: 'Show a user',
  access: 'users:manage',
  path: UserPath,
  returns: User,
  errors: { 404: 'There is no such user' },
  examples: { returns: userExample },

  async run({ path }, ports: Needs<'accounts' | 'attempts' | 'clock' | 'settings'>) {
    const account = await getAccount(path.id, ports)
    return versioned(await showUser(account, ports), userEdition(account))
  },
})
