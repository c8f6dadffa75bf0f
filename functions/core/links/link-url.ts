import { parseUrl } from '../url.ts'

/** The maximum length of a link, in characters. */
export const linkMax = 512

/** White space, control and invisible characters. A URL parser drops some of them silently. */
const hidden = /[\s\p{C}\\]/u

/**
 * Returns a URL in its normal form if a browser can be sent there: http or https, with a host and
 * without a user name or password. Anyone who writes a compose file chooses the text.
 */
export function linkUrl(text: string): string | undefined {
  if (text.length > linkMax || hidden.test(text) || !/^https?:\/\/[^/]/i.test(text))
    return undefined
  const url = parseUrl(text)
  if (!url) return undefined
  if (url.username !== '' || url.password !== '' || url.hostname === '') return undefined
  const isRoot = url.pathname === '/' && url.search === '' && url.hash === ''
  const link = isRoot ? url.origin : url.href
  return link.length > linkMax ? undefined : link
}

/** A web site. A default port is left out of its URL. */
export interface Site {
  scheme: 'http' | 'https'
  /** A name or an address; IPv6 with or without brackets. */
  host: string
  port?: number
  /** Begins with a slash. */
  path?: string
}

/** Returns the URL of a site, or undefined if the host is no name or address. */
export function siteUrl({ scheme, host, port, path = '' }: Site): string | undefined {
  const name = hostInUrl(host)
  if (name === undefined || (path !== '' && !path.startsWith('/'))) return undefined
  return linkUrl(`${scheme}://${name}${port === undefined ? '' : `:${port}`}${path}`)
}

/** Returns a host as URLs have it, or undefined if it is no name or address. */
export function hostInUrl(host: string): string | undefined {
  const plain = host.replace(/^\[(.*)\]$/, '$1')
  if (/^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(plain)) {
    return parseUrl(`http://[${plain}]`)?.hostname
  }
  if (plain !== host || host.length > 253) return undefined
  if (!/^[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*\.?$/u.test(host)) return undefined
  return parseUrl(`http://${host}`)?.hostname
}
