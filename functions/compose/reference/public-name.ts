const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/**
 * Top-level domains are only letters, or letters in their ASCII form. No IP address ends in one.
 */
const topLevel = /^([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/**
 * Top-level domains that the public DNS never delegates, and that resolvers of home and company
 * networks, clouds and Docker answer on their own (RFC 6761, 6762, 8375, 9476; ICANN on
 * `internal`).
 */
const privateDomains = new Set([
  ...['localhost', 'local', 'internal', 'localdomain', 'lan', 'home', 'corp', 'intranet'],
  ...['private', 'arpa', 'alt', 'onion', 'test', 'example', 'invalid'],
])

/**
 * Returns true for `host` or `host:port` whose host has the form of a public DNS name: at least one
 * dot, not an IP address in any form, no trailing dot, not in a domain of private networks. The
 * name is not resolved: a public name may still lead to a private address.
 */
export function isPublicName(address: string): boolean {
  const [, host = '', port] = /^([^:]+)(?::(\d{1,5}))?$/.exec(address) ?? []
  if (port !== undefined && !(Number(port) > 0 && Number(port) < 65_536)) return false
  const labels = host.split('.')
  const domain = host.slice(host.lastIndexOf('.') + 1)
  if (host.length > 253 || labels.length < 2 || !labels.every((one) => label.test(one)))
    return false
  return topLevel.test(domain) && !privateDomains.has(domain)
}
