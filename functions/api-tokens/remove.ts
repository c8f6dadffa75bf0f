import { z } from 'zod'
import type { ApiToken, Caller } from '../core/access/account.ts'
import { requireSession } from '../core/access/grant.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'

export default endpoint({
  summary: 'Revoke an API token',
  description:
    'An own one, or anybody’s with the permission users:manage. A token can revoke only itself.',
  access: 'signed-in',
  path: z.object({ id: z.string().max(64) }),
  fails: { 403: 'The credential is another API token', 404: 'You have no such token' },

  async run({ path, caller }, ports: Needs<'apiTokens'>) {
    const token = await ports.apiTokens.find(path.id)
    if (!token || !isSeenBy(caller, token)) throw notFound('you have no such API token')
    if (caller.credential.tokenId !== token.id) requireSession(caller)
    await ports.apiTokens.remove(token.id)
    return undefined
  },
})

const isSeenBy = (caller: Caller, token: ApiToken) =>
  token.accountId === caller.account.id || caller.permissions.has('users:manage')
