import { z } from 'zod'
import { showUser, User } from '../core/access/user.ts'
import type { Needs } from '../core/ports/ports.ts'
import { normalName } from '../core/records/normal-name.ts'
import { endpoint } from '../kit/endpoint.ts'
import { after, nextByNameHeader } from '../kit/params.ts'
import { asReply, pagedByName, Reply } from '../kit/reply.ts'
import { userExample, usersMax } from './schema.ts'

export default endpoint({
  summary: 'List users',
  description: 'Sorted by name, in lower case.',
  access: 'users:manage',
  query: z.object({ after }),
  returns: z.array(User).max(usersMax),
  responseHeaders: nextByNameHeader,
  examples: { returns: [userExample] },

  async run({ query }, ports: Needs<'accounts' | 'attempts' | 'clock' | 'settings'>) {
    const accounts = await ports.accounts.list()
    const sorted = accounts
      .map((account) => ({ account, name: normalName(account.username) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const last = query.after && normalName(query.after)
    const { value, ...options } = asReply(
      pagedByName(sorted, { cap: usersMax, nameOf: ({ name }) => name, after: last }),
    )
    const shown = value.map(({ account }) => showUser(account, ports))
    return new Reply(await Promise.all(shown), options)
  },
})
