import ipaddr from 'ipaddr.js'

/** Ranges of the registries of special addresses (RFC 6890 and its updates) that a service may dial. */
const dialed = new Set(['unicast', 'private', 'carrierGradeNat', 'uniqueLocal'])

/** What to call the others, where their name in the registry says little. */
const names: Record<string, string> = {
  linkLocal: 'a link-local address',
  loopback: 'a loopback address',
  unspecified: 'an address of this machine',
  broadcast: 'a broadcast address',
  multicast: 'a multicast address',
  ipv4Mapped: 'an IPv4 address in the form of an IPv6 one',
  rfc6145: 'an IPv4 address in the form of an IPv6 one',
  rfc6052: 'an IPv4 address in the form of an IPv6 one',
  '6to4': 'an IPv4 address in the form of an IPv6 one',
  teredo: 'an IPv4 address in the form of an IPv6 one',
}

/** Where clouds tell a machine its secrets, besides 169.254.0.0/16: Alibaba, Azure, AWS and Google. */
const metadata = ['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254']

/** Of IPv6, what is neither global (RFC 4291, 2.4) nor unique local is for no one; `::/96` holds IPv4 addresses. */
const global = ipaddr.parseCIDR('2000::/3')

/**
 * Why an address is not dialed, in a few words, or nothing for one that may be. Loopback, link-local and all other addresses
 * that lead to this machine or to nobody are refused, and so are IPv4 addresses that hide in IPv6 ones. Private ones are not:
 * they are where home servers live.
 */
export function addressProblem(address: string): string | undefined {
  if (!isAddress(address)) return 'no address'
  const parsed = ipaddr.parse(address)
  if (address.includes('%')) return 'an address of one network link'
  if (metadata.some((one) => ipaddr.parse(one).toString() === parsed.toString())) {
    return 'an address of a cloud’s metadata'
  }
  const range = parsed.range()
  if (!dialed.has(range)) return names[range] ?? 'an address for special use'
  if (parsed instanceof ipaddr.IPv6 && range === 'unicast' && !parsed.match(global)) {
    return 'an address for special use'
  }
  return undefined
}

/** Only the usual way to write IPv4 addresses: other ones (`0x7f.1`) are names, which a resolver may make addresses of. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
