import type { z } from 'zod'
import { countedAttempt } from '../core/access/attempt.ts'
import { normalName, normalNameMax } from '../core/access/normal-name.ts'
import { sessionOf } from '../core/access/refresh-token.ts'
import { type CodePorts, takeCode } from '../core/access/second-factor.ts'
import { beginSession } from '../core/access/sign-in.ts'
import { unauthenticated } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { unsignedBodyLimit } from '../kit/params.ts'
import { LoginBody, LoginResponse } from './schema.ts'

type Ports = Needs<
  | 'accounts'
  | 'secondFactors'
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
    'Exchanges a user name and password for an access token and a refresh token. Failed attempts are counted for each user name, whether or not it exists. A user with a second factor must also send a code: without one the response is 401 with the header `WWW-Authenticate: TOTP`, which does not count as a failed attempt.',
  access: 'public',
  body: LoginBody,
  bodyLimit: unsignedBodyLimit,
  returns: LoginResponse,
  fails: {
    401: 'The user name, the password or the code is wrong, or a code is required',
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
    const at = ports.clock.now()
    // Resolved after a failed response, whose timing must not reveal whether the user exists.
    note({ user: () => named(body.username, ports) })
    const verify = () => verified(body, ports)
    const found = await countedAttempt(body.username, verify, ports, verdictOf)
    if (found && !found.isEnough) throw codeRequired()
    const account = found?.account
    const { ip, userAgent } = request
    const signIn = { remember: body.remember_me ?? false, ip, userAgent, at }
    const tokens = account && (await beginSession(account, signIn, ports))
    if (!tokens) throw wrong(body)
    const { id, username, role } = account
    note({ user: account, subject: sessionOf(tokens.refresh_token) })
    return { ...tokens, user: { id, username, role } }
  },
})

/** Returns the account of a user name as it was typed. */
async function named(username: string, ports: Needs<'accounts'>) {
  const name = normalName(username)
  return name.length <= normalNameMax ? ports.accounts.findByUsername(name) : undefined
}

type Body = z.output<typeof LoginBody>

/** The message depends only on the request, never on the account. */
const wrong = ({ totp_code: code }: Body) =>
  unauthenticated(
    code === undefined
      ? 'the user name or the password is wrong'
      : 'the user name, the password or the code is wrong',
  )

const codeRequired = () =>
  unauthenticated('TOTP code required', { headers: { 'WWW-Authenticate': 'TOTP' } })

/** The right password without a code neither counts as a failure nor resets the failure count. */
const verdictOf = ({ isEnough }: { isEnough: boolean }) => (isEnough ? 'right' : 'released')

/**
 * Returns the account that the credentials belong to, and whether they are enough to log in. The
 * code is checked only after the password. Takes as long if no account has that name.
 */
async function verified(body: Body, ports: Needs<'accounts' | 'passwords'> & CodePorts) {
  const found = await named(body.username, ports)
  // An unknown name must cost the read of an account too.
  const account = found || (await ports.accounts.find('nobody'))
  const right = await ports.passwords.verify(body.password, account?.passwordHash)
  if (!right || !account || account.disabled) return undefined
  if (!account.mfaEnabled) return { account, isEnough: true }
  if (body.totp_code === undefined) return { account, isEnough: false }
  const taken = await takeCode(account, body.totp_code, ports)
  return taken ? { account, isEnough: true } : undefined
}
