import ipaddr from 'ipaddr.js'

/**
 * Ranges of the special-purpose address registries (RFC 6890 and its updates) that the service may
 * dial.
 */
const dialed = new Set(['unicast', 'private', 'carrierGradeNat', 'uniqueLocal'])

/** Descriptions of other ranges whose registry name says little. */
const names: Record<string, string> = {
  linkLocal: 'a link-local address',
  loopback: 'a loopback address',
  unspecified: 'an address of this machine',
  broadcast: 'a broadcast address',
  multicast: 'a multicast address',
  ipv4Mapped: 'an IPv4 address embedded in an IPv6 address',
  rfc6145: 'an IPv4 address embedded in an IPv6 address',
  rfc6052: 'an IPv4 address embedded in an IPv6 address',
  '6to4': 'an IPv4 address embedded in an IPv6 address',
  teredo: 'an IPv4 address embedded in an IPv6 address',
}

/**
 * Metadata services of clouds outside 169.254.0.0/16: Alibaba, Azure, AWS and Google. They hand out
 * the credentials of a machine.
 */
const metadata = ['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254']

/**
 * The only global unicast range of IPv6 (RFC 4291, 2.4). Other IPv6 addresses that are not unique
 * local are reserved; `::/96` embeds IPv4 addresses.
 */
const global = ipaddr.parseCIDR('2000::/3')

/**
 * Returns why an address is not dialed, in a few words, or undefined if it may be dialed. Loopback,
 * link-local and all other addresses that lead to this machine or nowhere are refused, and so are
 * IPv4 addresses embedded in IPv6 ones. Private addresses are allowed: home servers use them.
 */
export function addressProblem(address: string): string | undefined {
  if (!isAddress(address)) return 'not an address'
  const parsed = ipaddr.parse(address)
  if (address.includes('%')) return 'an address that is scoped to one network link'
  if (metadata.some((one) => ipaddr.parse(one).toString() === parsed.toString())) {
    return 'the address of a cloud metadata service'
  }
  const range = parsed.range()
  if (!dialed.has(range)) return names[range] ?? 'an address for special use'
  if (parsed instanceof ipaddr.IPv6 && range === 'unicast' && !parsed.match(global)) {
    return 'an address for special use'
  }
  return undefined
}

/**
 * Returns whether a text is an IPv6 address or an IPv4 address in dotted decimal. Other spellings
 * of IPv4 (`0x7f.1`) count as names, which a resolver may turn into addresses.
 */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/**
 * Returns whether two addresses that a port is published on have one in common. `0.0.0.0` and `::`
 * are all addresses of their family, and an empty text is those of both.
 */
export function haveCommonAddress(one: string, other: string): boolean {
  if (one === '' || other === '') return true
  if (!isAddress(one) || !isAddress(other)) return one === other
  const [left, right] = [ipaddr.parse(one), ipaddr.parse(other)]
  if (left.kind() !== right.kind()) return false
  const isSame = left.toNormalizedString() === right.toNormalizedString()
  return isSame || [left, right].some((address) => address.range() === 'unspecified')
}
