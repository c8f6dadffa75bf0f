import { hasEnded } from '../core/access/end-tokens.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { getToken, noSuchToken } from './get-token.ts'
import { ApiTokenPath, ApiTokenShown, apiTokenExample, showApiToken } from './schema.ts'

export default endpoint({
  summary: 'Show an API token',
  description:
    'One of your tokens or, with the permission users:manage, of any user. The token itself is only in the response that creates it.',
  access: 'signed-in',
  path: ApiTokenPath,
  returns: ApiTokenShown,
  errors: { 404: 'You have no such token' },
  examples: { returns: apiTokenExample },

  async run({ path, caller }, ports: Needs<'apiTokens' | 'accounts'>) {
    const { token, owner } = await getToken(path.id, caller, ports)
    if (!owner || hasEnded(token, owner)) throw noSuchToken()
    return showApiToken(token, owner)
  },
})
