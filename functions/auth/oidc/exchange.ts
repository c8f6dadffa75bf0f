import { sessionOf } from '../../core/access/refresh-token.ts'
import { beginSession } from '../../core/access/sign-in.ts'
import { unauthenticated } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { unsignedBodyLimit } from '../../kit/params.ts'
import { LoginResponse } from '../schema.ts'
import { redeemCode } from './redeem-code.ts'
import { ExchangeBody } from './schema.ts'

type Ports = Needs<
  | 'identityProviders'
  | 'signInSteps'
  | 'accounts'
  | 'sessions'
  | 'accessTokens'
  | 'settings'
  | 'random'
  | 'clock'
>

export default endpoint({
  summary: 'Exchange the code of a sign-in for tokens',
  description:
    'The code is valid once, for a minute after the provider responded. `code_verifier` is required if the sign-in was started with a `code_challenge`, and not allowed otherwise.',
  access: 'public',
  body: ExchangeBody,
  bodyLimit: unsignedBodyLimit,
  returns: LoginResponse,
  errors: {
    401: 'The code is unknown, used or expired, or belongs to a sign-in that another client started',
  },
  examples: {
    body: { code: 'csc_MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43UOV3HO6DZPIYQ' },
    returns: {
      access_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTk3In0.c2ln',
      refresh_token: 'csr_01977d3c-7a00-7000-8000-0d1f6a2b3c4d.c2VjcmV0',
      user: { id: '01977d3c-7a00-7000-8000-5e6f7a8b9c0d', username: 'anna', role: 'operator' },
    },
  },

  async run({ body, request, note }, ports: Ports) {
    const account = await redeemCode(body, ports)
    const { ip, userAgent } = request
    const at = ports.clock.now()
    const signIn = { remember: body.remember_me ?? false, ip, userAgent, at }
    const tokens = account && (await beginSession(account, signIn, ports))
    if (!tokens) throw unauthenticated('the code is unknown, used or expired: sign in again')
    const { id, username, role } = account
    note({ user: account, subject: sessionOf(tokens.refresh_token) })
    return { ...tokens, user: { id, username, role } }
  },
})
