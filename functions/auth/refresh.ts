import { type RefreshToken, readRefreshToken, sessionOf } from '../core/access/refresh-token.ts'
import { refreshSession } from '../core/access/sign-in.ts'
import { unauthenticated } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { unsignedBodyLimit } from '../kit/params.ts'
import { RefreshBody, TokenPair } from './schema.ts'

type Ports = Needs<'accounts' | 'sessions' | 'accessTokens' | 'settings' | 'random' | 'clock'>

export default endpoint({
  summary: 'Exchange a refresh token for new tokens',
  description:
    'Each refresh token is valid once. Reusing a token that was already exchanged ends the session, because the token may have been stolen.',
  access: 'public',
  body: RefreshBody,
  bodyLimit: unsignedBodyLimit,
  returns: TokenPair,
  errors: { 401: 'The refresh token is invalid, used, expired or revoked' },
  examples: {
    body: { refresh_token: 'csr_01977d3c-7a00-7000-8000-0d1f6a2b3c4d.ZmFtaWx5.c2VjcmV0' },
    returns: {
      access_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTk3In0.c2ln',
      refresh_token: 'csr_01977d3c-7a00-7000-8000-0d1f6a2b3c4d.ZmFtaWx5.bmV4dCBzZWNyZXQ',
    },
  },

  async run({ body, note }, ports: Ports) {
    const presented = readRefreshToken(body.refresh_token)
    note({ subject: sessionOf(body.refresh_token), user: () => userOf(presented, ports) })
    const tokens = presented && (await refreshSession(presented, ports))
    if (!tokens) throw unauthenticated('the refresh token is invalid, expired or revoked')
    return tokens
  },
})

/** Returns the user of the session, if the session still exists. */
async function userOf(presented: RefreshToken | undefined, ports: Ports) {
  const session = presented && (await ports.sessions.find(presented.sessionId))
  return session && ports.accounts.find(session.accountId)
}
