import { requireSession, requireWithin } from '../core/access/grant.ts'
import { rightsOf } from '../core/access/role.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { getToken } from './get-token.ts'
import { ApiTokenPath } from './schema.ts'

export default endpoint({
  summary: 'Revoke an API token',
  description:
    'Revokes one of your tokens or, with the permission users:manage, a token of any user. An API token can revoke only itself.',
  access: 'signed-in',
  path: ApiTokenPath,
  errors: {
    403: 'The credential is another API token, or its user has more rights than you',
    404: 'You have no such token',
  },

  async run({ path, caller }, ports: Needs<'apiTokens' | 'accounts' | 'roles'>) {
    const { token, owner } = await getToken(path.id, caller, ports)
    if (caller.credential.tokenId !== token.id) requireSession(caller)
    if (owner && owner.id !== caller.account.id)
      requireWithin(caller, await rightsOf(owner, ports), 'the user of the token')
    await ports.apiTokens.remove(token.id)
    return undefined
  },
})
