import { Failure, invalid, notFound, unauthenticated } from '../../core/errors.ts'
import { ignoreError } from '../../core/ignore-error.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { AskedSignIn } from '../../core/records/identity-provider.ts'
import { accountOf } from '../../core/sso/account.ts'
import { codeLifetime, hashOf, makeCode, signInLifetime } from '../../core/sso/one-time.ts'
import { withQuery } from '../../core/sso/redirect.ts'
import { isAhead, skewMax } from '../../core/time/clock-skew.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { Reply } from '../../kit/reply.ts'
import { CallbackQuery, ProviderPath } from './schema.ts'

type Ports = Needs<
  | 'identityProviders'
  | 'signInSteps'
  | 'openId'
  | 'accounts'
  | 'roles'
  | 'sessions'
  | 'apiTokens'
  | 'leases'
  | 'background'
  | 'random'
  | 'clock'
  | 'log'
>

type Answer = Record<string, string>

export default endpoint({
  summary: 'Handle the redirect of an identity provider',
  description:
    'The redirect URI that a provider sends the browser back to. Redirects to the `redirect_uri` of the sign-in with a one-time code that is valid for a minute: see POST /auth/oidc/exchange. A URL never contains a token.',
  access: 'public',
  path: ProviderPath,
  query: CallbackQuery,
  status: 302,
  responseHeaders: {
    Location: {
      description: 'The `redirect_uri` of the sign-in, with a code or an error',
      statuses: [302],
    },
  },
  errors: {
    400: '`state` is missing',
    401: 'The state is unknown, used or expired, or the provider did not confirm the sign-in',
    403: 'No account has that identity and the provider grants it no role, or the account is disabled',
    404: 'There is no such provider',
    409: 'Another account has the user name, or the last admin would lose the role',
    500: 'The provider did not respond, or its response is invalid',
  },

  changes: true,

  async run({ path, query, request, note }, ports: Ports) {
    const { state } = query
    if (state === undefined) throw invalid('query.state: is required')
    const asked = ports.signInSteps.open(state)
    // A provider's response is valid only at its own callback address (RFC 9700, section 4.4).
    if (asked?.providerId !== path.id || !isCurrent(asked, ports)) throw unknownSignIn()
    const used = hashOf(state)
    if (!(await ports.signInSteps.claim(used, asked.expiresAt + skewMax))) throw unknownSignIn()
    try {
      const { account, code } = await redeemAnswer(asked, state, query as Answer, ports)
      note({ user: account, subject: { kind: 'users', id: account.id } })
      return redirectTo(withQuery(asked.redirectUri, { code }))
    } catch (error) {
      // Only sign-ins that the provider confirmed leave a record.
      await ports.signInSteps.release(used).catch(ignoreError('release a refused sign-in'))
      if (!(error instanceof Failure)) throw error
      logRefusal(error, path.id, request.id, ports)
      if (!asked.tellsErrors) throw error
      note({ refused: error.status })
      const parameters = { error: codes[error.status] ?? 'access_denied' }
      return redirectTo(
        withQuery(asked.redirectUri, { ...parameters, error_description: error.message }),
      )
    }
  },
})

/** Error codes of RFC 6749, section 4.1.2.1. */
const codes: Partial<Record<Failure['status'], string>> = { 500: 'server_error' }

const redirectTo = (location: string) => new Reply(undefined, { headers: { Location: location } })

const unknownSignIn = () => unauthenticated('this sign-in is unknown, used or expired: start again')

/**
 * Logs the message of the library. The message for the caller is too short to find a mistake in the
 * configuration of a provider.
 */
function logRefusal(error: Failure, provider: string, requestId: string, { log }: Needs<'log'>) {
  const { cause } = error
  const reason = cause instanceof Error ? cause.message : undefined
  const fields = { request_id: requestId, provider, status: error.status, refusal: error.message }
  log.warn('a sign-in with an identity provider was refused', { ...fields, reason })
}

/** Returns whether a sign-in was begun less than ten minutes ago, as far as clocks agree. */
function isCurrent({ expiresAt }: AskedSignIn, { clock }: Needs<'clock'>): boolean {
  const now = clock.now()
  return now < expiresAt && !isAhead(expiresAt - signInLifetime, now)
}

async function redeemAnswer(asked: AskedSignIn, state: string, answer: Answer, ports: Ports) {
  const provider = await ports.identityProviders.find(asked.providerId)
  if (!provider) throw notFound('there is no such identity provider')
  if (answer.error !== undefined) {
    const said = /^[a-z_]{1,64}$/.test(answer.error) ? `: ${answer.error}` : ''
    throw unauthenticated(`${provider.name} did not confirm the sign-in${said}`)
  }
  const { nonce, codeVerifier, callbackUrl, challenge } = asked
  const authorization = { state, nonce, codeVerifier, callbackUrl }
  const identity = await ports.openId.redeem(provider, authorization, answer)
  const account = await accountOf(identity, provider, ports)
  const code = makeCode(ports.random.bytes(32))
  const next = { kind: 'answered' as const, providerId: provider.id, accountId: account.id }
  const until = ports.clock.now() + codeLifetime
  await ports.signInSteps.create(hashOf(code), { ...next, challenge }, until)
  return { account, code }
}
