import type { z } from 'zod'
import { countedAttempt } from '../core/access/attempt.ts'
import { normalName, normalNameMax } from '../core/access/normal-name.ts'
import { sessionOf } from '../core/access/refresh-token.ts'
import { beginSession } from '../core/access/sign-in.ts'
import { unauthenticated } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { unsignedBodyLimit } from '../kit/params.ts'
import { LoginBody, LoginResponse } from './schema.ts'

type Ports = Needs<
  | 'accounts'
  | 'attempts'
  | 'background'
  | 'passwords'
  | 'sessions'
  | 'accessTokens'
  | 'settings'
  | 'random'
  | 'clock'
>

export default endpoint({
  summary: 'Log in',
  description:
    'Exchanges a user name and password for an access token and a refresh token. Failed attempts are counted for each user name, whether or not anybody has it.',
  access: 'public',
  body: LoginBody,
  bodyLimit: unsignedBodyLimit,
  returns: LoginResponse,
  fails: {
    401: 'The user name or the password is wrong',
    423: 'The account is locked for a while',
  },
  examples: {
    body: { username: 'anna', password: 'correct horse battery' },
    returns: {
      access_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTk3In0.c2ln',
      refresh_token: 'csr_01977d3c-7a00-7000-8000-0d1f6a2b3c4d.c2VjcmV0',
      user: { id: '01977d3c-7a00-7000-8000-5e6f7a8b9c0d', username: 'anna', role: 'admin' },
    },
  },

  async run({ body, request, note }, ports: Ports) {
    const at = ports.clock.now()
    // After the answer: it must not say how long it took to find somebody.
    note({ user: () => named(body.username, ports) })
    const account = await countedAttempt(body.username, () => verified(body, ports), ports)
    const { ip, userAgent } = request
    const signIn = { remember: body.remember_me ?? false, ip, userAgent, at }
    const tokens = account && (await beginSession(account, signIn, ports))
    if (!tokens) throw unauthenticated('the user name or the password is wrong')
    const { id, username, role } = account
    note({ user: account, subject: sessionOf(tokens.refresh_token) })
    return { ...tokens, user: { id, username, role } }
  },
})

/** The account of a name as it was typed. */
async function named(username: string, ports: Needs<'accounts'>) {
  const name = normalName(username)
  return name.length <= normalNameMax ? ports.accounts.findByUsername(name) : undefined
}

/** The account that these credentials open. Takes as long when there is none of that name. */
async function verified(body: z.output<typeof LoginBody>, ports: Needs<'accounts' | 'passwords'>) {
  const found = await named(body.username, ports)
  // A name that leads nowhere costs the read of an account too.
  const account = found || (await ports.accounts.find('nobody'))
  const right = await ports.passwords.verify(body.password, account?.passwordHash)
  return right && account && !account.disabled ? account : undefined
}
