import { type BrowserPorts, beginBrowserSession } from '../../core/access/browser-session.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { unsignedBodyLimit } from '../../kit/params.ts'
import { Reply } from '../../kit/reply.ts'
import { logIn } from '../credentials.ts'
import { LoginBody } from '../schema.ts'
import { cookieHeaders, pageHeaders, pageOf, setCookie } from './page.ts'
import { BrowserLogin, exampleLogin, loginOf } from './schema.ts'

type Ports = BrowserPorts &
  Needs<
    'secondFactors' | 'passkeys' | 'signInSteps' | 'site' | 'attempts' | 'background' | 'passwords'
  >

export default endpoint({
  summary: 'Log in from a browser',
  description: [
    'Starts a session that survives a reload of the page. It needs both an `HttpOnly` cookie, which each refresh replaces, and `browser_key`, which a page keeps in `localStorage`. One without the other is refused.',
    'Attempts count and lock as those of `POST /auth/login`, and a second factor is asked for in the same way.',
  ].join('\n\n'),
  access: 'public',
  headers: pageHeaders,
  responseHeaders: cookieHeaders,
  body: LoginBody,
  bodyLimit: unsignedBodyLimit,
  returns: BrowserLogin,
  errors: {
    401: 'The user name, the password, the code or the passkey is wrong, or a code is required',
    409: 'A passkey was sent, and the address of the service allows none',
    423: 'The account is temporarily locked',
  },
  examples: {
    body: { username: 'anna', password: 'correct horse battery' },
    returns: exampleLogin,
  },

  async run({ body, request, note }, ports: Ports) {
    const page = pageOf(request.headers)
    const { ip, userAgent } = request
    const at = ports.clock.now()
    const signIn = { remember: body.remember_me ?? false, ip, userAgent, at }
    const { account, begun } = await logIn(body, note, ports, (found) =>
      beginBrowserSession(found, signIn, ports),
    )
    note({ user: account, subject: { kind: 'sessions', id: begun.session.id } })
    const headers = await setCookie(begun, page, ports)
    return new Reply(loginOf(begun, account), { headers })
  },
})
