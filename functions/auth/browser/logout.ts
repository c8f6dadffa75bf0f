import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { Reply } from '../../kit/reply.ts'
import { clearCookie, cookieHeaders, pageOf, sessionHeaders } from './page.ts'
import { presentedToken } from './presented.ts'

export default endpoint({
  summary: 'Log out of a browser session',
  description:
    'Ends the session, revokes its access tokens and deletes the cookie. A session that has already ended is not an error. A missing or wrong `X-Browser-Key` is 401 and changes nothing.',
  access: 'public',
  headers: sessionHeaders,
  responseHeaders: cookieHeaders,
  readsCookies: true,
  errors: { 401: 'The key is missing or wrong' },

  async run({ request, note }, ports: Needs<'accounts' | 'browserSecrets' | 'sessions'>) {
    const page = pageOf(request.headers)
    const presented = await presentedToken(request.headers, page, ports)
    const response = new Reply(undefined, { headers: clearCookie(page, ports) })
    if (!presented) {
      note({ unchanged: true })
      return response
    }
    const { session } = presented
    await ports.sessions.remove(session.id)
    const user = () => ports.accounts.find(session.accountId)
    note({ user, subject: { kind: 'sessions', id: session.id } })
    return response
  },
})
