import { conflict, invalid } from '../errors.ts'
import type { Site } from '../runtime.ts'

/**
 * The address of the service as the browser knows it, without a slash at its end: the configured one, else that of the
 * request's Host header where it names this machine. Throws a `Failure` 409 when there is neither: anybody can write a
 * Host header.
 */
export function ownAddress({ baseUrl }: Site, host: string | undefined): string {
  if (baseUrl !== null) return baseUrl
  if (host !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host)) {
    return `http://${host.toLowerCase()}`
  }
  throw conflict('single sign-on needs the address of the service: configure SERVICE_BASE_URL')
}

/**
 * An address that a sign-in may end at, in its normal form: a page of the service itself, or a port of the person's own
 * machine where a client waits (RFC 8252, section 7.3). Throws a `Failure` 400 for any other.
 */
export function allowedRedirect(text: string, own: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username || url.password || text.includes('#')) throw notAllowed()
  if (!isLoopback(url) && !isOwn(url, new URL(own))) throw notAllowed()
  return url.href
}

/** The address with these parameters instead of its own of those names. */
export function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

const isLoopback = ({ protocol, hostname, port }: URL) =>
  protocol === 'http:' && port !== '' && (hostname === '127.0.0.1' || hostname === '[::1]')

/** Steps of a sign-in are no pages, and no page has a name that needs encoding. */
function isOwn(url: URL, own: URL): boolean {
  const root = own.pathname.replace(/\/$/, '')
  if (url.origin !== own.origin || !`${url.pathname}/`.startsWith(`${root}/`)) return false
  return !/%|\/auth\//i.test(url.pathname)
}

const notAllowed = () =>
  invalid(
    'query.redirect_uri: must be a page of this service, or http://127.0.0.1:<port> or http://[::1]:<port>',
  )
