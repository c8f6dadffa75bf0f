import type { BrowserSession } from '../../core/access/browser-session.ts'
import { sessionExpiry } from '../../core/access/session.ts'
import { invalid } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { parseUrl } from '../../core/url.ts'

type Headers = Readonly<Record<string, string | undefined>>

/** The request headers that every endpoint of a browser session checks. */
export const pageHeaders = {
  Origin: 'Origin of the page, which names the cookie. Browsers send it with every POST',
  'X-Requested-With':
    'Must be `container-stacks`. A page of another origin cannot send it: no preflight is granted',
}

/** The request headers of the endpoints that need a session. */
export const sessionHeaders = {
  ...pageHeaders,
  'X-Browser-Key': 'The `browser_key` of the login',
}

/** Describes the header with the cookie of a session, for `responseHeaders`. */
export const cookieHeaders = {
  'Set-Cookie': 'The cookie of the session, which only the browser can read',
}

/**
 * Returns the origin of the page that sent a request.
 *
 * @throws 400 if the request was not sent by a script of a page of this origin
 */
export function pageOf(headers: Headers): URL {
  const { origin } = headers
  if (origin === undefined) throw invalid('the header Origin is required: browsers send it')
  const page = parseUrl(origin)
  if (!page || page.origin !== origin || !/^https?:$/.test(page.protocol)) {
    throw invalid('the header Origin must be the http or https origin of a page')
  }
  if (headers['x-requested-with'] !== 'container-stacks') {
    throw invalid('the header X-Requested-With must be container-stacks')
  }
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw invalid('the header Content-Type must be application/json')
  }
  // Browsers leave it out on plain http; the header above then decides.
  const { 'sec-fetch-site': site = 'same-origin' } = headers
  if (site !== 'same-origin') {
    throw invalid(
      'the header Sec-Fetch-Site must be same-origin: a browser session is for pages of this service',
    )
  }
  return page
}

/** The path of the endpoints of browser sessions. Browsers send the cookie only below it. */
const cookiePath = '/api/v1/auth/browser'

/**
 * Returns the name of the cookie. Cookies ignore ports, so the name contains the page's port. It
 * also contains part of the installation's ID, because another installation may use that port
 * later.
 */
function cookieName({ protocol, port }: URL, instance: string): string {
  const isSecure = protocol === 'https:'
  const number = port || (isSecure ? '443' : '80')
  return `${isSecure ? '__Secure-' : ''}cs_${number}_${instance}`
}

/**
 * Returns the cookies of the session that were sent. There may be several: a page on another port
 * can set one of the same name for a longer path.
 */
export function sessionCookies(
  { cookie = '' }: Headers,
  page: URL,
  { browserSecrets }: Needs<'browserSecrets'>,
): string[] {
  const start = `${cookieName(page, browserSecrets.instance)}=`
  return cookie
    .split(/;\s*/)
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
    .slice(0, cookiesMax)
}

/** Each costs a read of the store. */
const cookiesMax = 4

/** Returns the header that makes the browser keep the cookie of a session. */
export async function setCookie(
  { session, token }: BrowserSession,
  page: URL,
  ports: Needs<'browserSecrets' | 'settings' | 'clock'>,
): Promise<{ 'Set-Cookie': string }> {
  const { createdAt, remember, expiresAt } = session
  const end = Math.min(expiresAt, sessionExpiry(createdAt, remember, await ports.settings.get()))
  const seconds = Math.max(0, Math.floor((end - ports.clock.now()) / 1000))
  return cookieHeader(token.cookie, page, ports, remember ? `; Max-Age=${seconds}` : '')
}

/** Returns the header that makes the browser delete the cookie. */
export const clearCookie = (page: URL, ports: Needs<'browserSecrets'>) =>
  cookieHeader('', page, ports, '; Max-Age=0')

function cookieHeader(
  value: string,
  page: URL,
  { browserSecrets }: Needs<'browserSecrets'>,
  age: string,
) {
  const secure = page.protocol === 'https:' ? '; Secure' : ''
  const name = cookieName(page, browserSecrets.instance)
  return {
    'Set-Cookie': `${name}=${value}; Path=${cookiePath}; HttpOnly; SameSite=Strict${secure}${age}`,
  }
}
