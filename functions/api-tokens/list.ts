import { z } from 'zod'
import { hasEnded } from '../core/access/end-tokens.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { ApiTokenShown, apiTokenExample, apiTokensMax, showApiToken } from './schema.ts'

export default endpoint({
  summary: 'List API tokens',
  description: 'Your own tokens; with the permission users:manage, the tokens of all users.',
  access: 'signed-in',
  query: z.object({
    user_id: z.string().min(1).max(64).optional().describe('Only tokens of the user with this id'),
    name: z.string().min(1).max(100).optional().describe('Only tokens with exactly this name'),
  }),
  returns: z.array(ApiTokenShown).max(apiTokensMax),
  examples: { returns: [apiTokenExample] },

  async run({ query, caller }, ports: Needs<'apiTokens' | 'accounts'>) {
    const all = caller.permissions.has('users:manage')
    const found = await ports.apiTokens.list(all ? query.user_id : caller.account.id)
    const tokens = found.filter(
      ({ name, accountId }) =>
        (query.name === undefined || name === query.name) &&
        (query.user_id === undefined || accountId === query.user_id),
    )
    const accounts = all ? await ports.accounts.list() : [caller.account]
    const owners = new Map(accounts.map((account) => [account.id, account]))
    const shown = tokens
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((token) => {
        const owner = owners.get(token.accountId)
        return owner && !hasEnded(token, owner) ? [showApiToken(token, owner)] : []
      })
    return capped(shown, apiTokensMax)
  },
})
