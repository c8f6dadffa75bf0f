import { type BrowserPorts, refreshBrowserSession } from '../../core/access/browser-session.ts'
import { unauthenticated } from '../../core/errors.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { unsignedBodyLimit } from '../../kit/params.ts'
import { Reply } from '../../kit/reply.ts'
import { cookieHeaders, pageOf, sessionHeaders, setCookie } from './page.ts'
import { presentedToken } from './presented.ts'
import { BrowserRefreshBody, BrowserTokens, exampleTokens, tokensOf } from './schema.ts'

export default endpoint({
  summary: 'Refresh a browser session',
  description: [
    'Returns a new access token and replaces the cookie. A missing or wrong `X-Browser-Key` is 401 and changes nothing, so that whoever is sent the cookie cannot end the session.',
    'A replaced cookie with the right key ends the session, because both halves may have been stolen. The cookie before the current one gets the same response again for 10 s: another tab may have refreshed at the same moment, or the response was lost.',
  ].join('\n\n'),
  access: 'public',
  headers: sessionHeaders,
  responseHeaders: cookieHeaders,
  readsCookies: true,
  body: BrowserRefreshBody.default({}),
  bodyLimit: unsignedBodyLimit,
  returns: BrowserTokens,
  errors: { 401: 'The cookie or the key is missing, wrong, replaced, expired or revoked' },
  examples: { body: { idle_seconds: 42 }, returns: exampleTokens },

  async run({ request, body, note }, ports: BrowserPorts) {
    const page = pageOf(request.headers)
    const presented = await presentedToken(request.headers, page, ports)
    if (!presented) throw over()
    const { token, session } = presented
    const user = () => ports.accounts.find(session.accountId)
    note({ subject: { kind: 'sessions', id: session.id }, user })
    const idle = (body.idle_seconds ?? 0) * 1000
    const refreshed = await refreshBrowserSession(token, idle, ports)
    if (!refreshed) throw over()
    const headers = await setCookie(refreshed, page, ports)
    return new Reply(tokensOf(refreshed, refreshed.account), { headers })
  },
})

const over = () => unauthenticated('the session has ended: log in again')
