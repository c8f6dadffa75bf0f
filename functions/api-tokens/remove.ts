import { z } from 'zod'
import { requireSession, requireWithin } from '../core/access/grant.ts'
import { rightsOf } from '../core/access/role.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { ApiToken, Caller } from '../core/records/account.ts'
import { endpoint } from '../kit/endpoint.ts'

export default endpoint({
  summary: 'Revoke an API token',
  description:
    'Revokes one of your tokens or, with the permission users:manage, a token of any user. An API token can revoke only itself.',
  access: 'signed-in',
  path: z.object({ id: z.string().max(64).describe('Id of the API token') }),
  errors: {
    403: 'The credential is another API token, or its user has more rights than you',
    404: 'You have no such token',
  },

  async run({ path, caller }, ports: Needs<'apiTokens' | 'accounts' | 'roles'>) {
    const token = await ports.apiTokens.find(path.id)
    if (!token || !isSeenBy(caller, token)) throw notFound('you have no such API token')
    if (caller.credential.tokenId !== token.id) requireSession(caller)
    const owner = isOwn(caller, token) ? undefined : await ports.accounts.find(token.accountId)
    if (owner) requireWithin(caller, await rightsOf(owner, ports), 'the user of the token')
    await ports.apiTokens.remove(token.id)
    return undefined
  },
})

const isOwn = (caller: Caller, token: ApiToken) => token.accountId === caller.account.id

const isSeenBy = (caller: Caller, token: ApiToken) =>
  isOwn(caller, token) || caller.permissions.has('users:manage')
