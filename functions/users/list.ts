import { z } from 'zod'
import { showUser, User } from '../core/access/user.ts'
import type { Needs } from '../core/ports/ports.ts'
import { normalName } from '../core/records/normal-name.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Reply } from '../kit/reply.ts'
import { userExample, usersMax } from './schema.ts'

export default endpoint({
  summary: 'List users',
  access: 'users:manage',
  returns: z.array(User).max(usersMax),
  examples: { returns: [userExample] },

  async run(_input, ports: Needs<'accounts' | 'attempts' | 'clock' | 'settings'>) {
    const accounts = await ports.accounts.list()
    const byName = accounts
      .map((account) => ({ account, name: normalName(account.username) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const shown = byName.slice(0, usersMax).map(({ account }) => showUser(account, ports))
    const cut = byName.length > usersMax
    const headers: Record<string, string> = cut ? { 'X-Result-Truncated': 'true' } : {}
    return new Reply(await Promise.all(shown), { headers })
  },
})
