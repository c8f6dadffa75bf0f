import { sessionOf } from '../core/access/refresh-token.ts'
import { beginSession } from '../core/access/sign-in.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { unsignedBodyLimit } from '../kit/params.ts'
import { logIn } from './credentials.ts'
import { LoginBody, LoginResponse } from './schema.ts'

type Ports = Needs<
  | 'accounts'
  | 'secondFactors'
  | 'passkeys'
  | 'signInSteps'
  | 'site'
  | 'attempts'
  | 'background'
  | 'passwords'
  | 'browserSecrets'
  | 'sessions'
  | 'accessTokens'
  | 'settings'
  | 'random'
  | 'clock'
>

export default endpoint({
  summary: 'Log in',
  description:
    'Exchanges a user name and password for an access token and a refresh token. Failed attempts lock a user name for a time, whether or not an account has it. A user with a second factor must also send a code or a passkey: without one the response is 401 with the header `WWW-Authenticate: TOTP`, which does not count as a failed attempt.',
  access: 'public',
  body: LoginBody,
  bodyLimit: unsignedBodyLimit,
  returns: LoginResponse,
  errors: {
    401: 'The user name, the password, the code or the passkey is wrong, or a code is required',
    409: 'A passkey was sent, and the address of the service allows none',
    423: 'The account is temporarily locked',
  },
  examples: {
    body: { username: 'anna', password: 'correct horse battery' },
    returns: {
      access_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTk3In0.c2ln',
      refresh_token: 'csr_01977d3c-7a00-7000-8000-0d1f6a2b3c4d.ZmFtaWx5.c2VjcmV0',
      user: { id: '01977d3c-7a00-7000-8000-5e6f7a8b9c0d', username: 'anna', role: 'admin' },
    },
  },

  async run({ body, request, note }, ports: Ports) {
    const { ip, userAgent } = request
    const at = ports.clock.now()
    const signIn = { remember: body.remember_me ?? false, ip, userAgent, at }
    const { account, begun } = await logIn(body, note, ports, (found) =>
      beginSession(found, signIn, ports),
    )
    const { id, username, role } = account
    note({ user: account, subject: sessionOf(begun.refresh_token) })
    return { ...begun, user: { id, username, role } }
  },
})
