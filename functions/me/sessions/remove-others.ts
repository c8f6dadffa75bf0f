import { z } from 'zod'
import { changeAccount } from '../../core/access/change-account.ts'
import { removeEndedTokens, withoutTokens } from '../../core/access/end-tokens.ts'
import { requireSession } from '../../core/access/grant.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { flag } from '../../kit/params.ts'

export default endpoint({
  summary: 'End all your other sessions',
  description:
    'Ends every session but that of the request, and with `end_api_tokens` also all your API tokens.',
  access: 'signed-in',
  query: z.object({
    end_api_tokens: flag.default(false).meta({ description: 'Also end all your API tokens' }),
  }),
  errors: { 403: 'The credential is an API token' },

  async run({ query, caller }, ports: Needs<'accounts' | 'sessions' | 'apiTokens' | 'clock'>) {
    const sessionId = requireSession(caller)
    const after = await changeAccount(caller.account.id, ports, (account) => {
      const next = {
        ...account,
        sessionsValidFrom: ports.clock.now(),
        keptSessionId: sessionId,
      }
      return query.end_api_tokens ? withoutTokens(next) : next
    })
    await ports.sessions.removeByAccount(after.id, sessionId)
    if (query.end_api_tokens) await removeEndedTokens(after, ports)
    return undefined
  },
})
