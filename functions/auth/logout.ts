import { readRefreshToken, sessionOf } from '../core/access/refresh-token.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { unsignedBodyLimit } from '../kit/params.ts'
import { RefreshBody } from './schema.ts'

export default endpoint({
  summary: 'Log out',
  description:
    'Ends the session of a refresh token and revokes its access tokens. A token that is no longer valid is not an error (RFC 7009, section 2.2).',
  access: 'public',
  body: RefreshBody,
  bodyLimit: unsignedBodyLimit,
  examples: {
    body: { refresh_token: 'csr_01977d3c-7a00-7000-8000-0d1f6a2b3c4d.ZmFtaWx5.c2VjcmV0' },
  },

  async run({ body, note }, ports: Needs<'sessions' | 'accounts'>) {
    const presented = readRefreshToken(body.refresh_token)
    const session = presented && (await ports.sessions.find(presented.sessionId))
    if (!session || session.familyHash !== presented.familyHash) {
      note({ unchanged: true })
      return undefined
    }
    await ports.sessions.remove(session.id)
    const user = () => ports.accounts.find(session.accountId)
    note({ user, subject: sessionOf(body.refresh_token) })
    return undefined
  },
})
