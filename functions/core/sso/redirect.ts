import { conflict, invalid } from '../errors.ts'
import type { Site } from '../ports/site.ts'
import { parseUrl } from '../url.ts'

/**
 * Returns the address of the service as browsers reach it, without a trailing slash: the configured
 * one, otherwise the Host header if it names this machine. Other Host headers are not used, because
 * any client can forge them.
 *
 * @throws 409 if there is neither
 */
export function ownAddress({ baseUrl }: Site, host: string | undefined): string {
  if (baseUrl !== null) return baseUrl
  if (host !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host)) {
    return `http://${host.toLowerCase()}`
  }
  throw conflict('single sign-on requires SERVICE_BASE_URL to be configured')
}

/**
 * Returns the normal form of a URL that a sign-in may redirect to: a page of the service, or a port
 * on the user's own machine where a client waits (RFC 8252, section 7.3).
 *
 * @throws 400 for any other URL
 */
export function allowedRedirect(text: string, own: string): string {
  const url = parseUrl(text)
  if (!url || url.username || url.password || text.includes('#')) throw notAllowed()
  if (!isLoopback(url) && !isOwn(url, new URL(own))) throw notAllowed()
  if (url.href.length > redirectMax)
    throw invalid(`query.redirect_uri: must have at most ${redirectMax} characters when encoded`)
  return url.href
}

/** Characters. The URL travels in the state of a sign-in, through the URLs of the provider. */
const redirectMax = 2048

/** Sets query parameters of a URL and replaces existing ones of the same name. */
export function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

const isLoopback = ({ protocol, hostname, port }: URL) =>
  protocol === 'http:' && port !== '' && (hostname === '127.0.0.1' || hostname === '[::1]')

/**
 * Returns whether a URL is a page of the service. The endpoints of the sign-in are not pages, and
 * no page has a name that needs encoding. A path with two slashes is another host to what follows
 * it without the scheme.
 */
function isOwn(url: URL, own: URL): boolean {
  const root = own.pathname.replace(/\/$/, '')
  if (url.origin !== own.origin || !`${url.pathname}/`.startsWith(`${root}/`)) return false
  return !/%|\/\/|\/auth\//i.test(url.pathname)
}

const notAllowed = () =>
  invalid(
    'query.redirect_uri: must be a page of this service, or http://127.0.0.1:<port> or http://[::1]:<port>',
  )
