import { type BrowserPorts, beginBrowserSession } from '../../core/access/browser-session.ts'
import { unauthenticated } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { unsignedBodyLimit } from '../../kit/params.ts'
import { Reply } from '../../kit/reply.ts'
import { redeemCode } from '../oidc/redeem-code.ts'
import { cookieHeaders, pageHeaders, pageOf, setCookie } from './page.ts'
import { BrowserExchangeBody, BrowserLogin, exampleLogin, loginOf } from './schema.ts'

type Ports = BrowserPorts & Needs<'identityProviders' | 'signInSteps'>

export default endpoint({
  summary: 'Exchange the code of a sign-in for a browser session',
  description:
    'As `POST /auth/oidc/exchange`, with the session of `POST /auth/browser/login`. The sign-in must have been started with a `code_challenge`.',
  access: 'public',
  headers: pageHeaders,
  responseHeaders: cookieHeaders,
  body: BrowserExchangeBody,
  bodyLimit: unsignedBodyLimit,
  returns: BrowserLogin,
  errors: {
    401: 'The code is unknown, used or expired, or belongs to a sign-in that another page started',
  },
  examples: {
    body: {
      code: 'csc_MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43UOV3HO6DZPIYQ',
      code_verifier: 'dGhlIHNlY3JldCBvZiB0aGUgcGFnZSB0aGF0IGJlZ2Fu',
    },
    returns: exampleLogin,
  },

  async run({ body, request, note }, ports: Ports) {
    const page = pageOf(request.headers)
    const account = await redeemCode(body, ports)
    const { ip, userAgent } = request
    const at = ports.clock.now()
    const signIn = { remember: body.remember_me ?? false, ip, userAgent, at }
    const begun = account && (await beginBrowserSession(account, signIn, ports))
    if (!begun) throw unauthenticated('the code is unknown, used or expired: sign in again')
    note({ user: account, subject: { kind: 'sessions', id: begun.session.id } })
    const headers = await setCookie(begun, page, ports)
    return new Reply(loginOf(begun, account), { headers })
  },
})
