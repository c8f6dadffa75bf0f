/**
 * Returns the address of a service that serves feeds, as `ws://` or `wss://` and without a trailing
 * slash.
 *
 * @throws `Error` if it is not an address that clients and browsers can use
 */
export function feedsUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^(?:http|ws)s?:$/.test(url.protocol)) {
    throw new Error('expected an address such as https://feeds.example.org')
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new Error('must have no credentials, query or fragment')
  }
  // It becomes a source of the page's policy, where other characters have a meaning or no place.
  if (!/^[a-z0-9._-]+$/.test(url.hostname)) {
    throw new Error('must have a host name or an IPv4 address')
  }
  const path = url.pathname.replace(/\/+$/, '')
  if (path.endsWith('/api/v1')) throw new Error('must be the address without /api/v1')
  return `${url.protocol.replace('http', 'ws')}//${url.host}${path}`
}
