import ipaddr from 'ipaddr.js'

/** Who a request comes from, by the address of its connection and its `X-Forwarded-For`. */
export type SourceReader = (peer: string | undefined, forwardedFor?: string) => string

/**
 * Reads sources behind proxies that are trusted: a text of addresses and ranges, commas or blanks between. Each of them is
 * believed the address that it added to the header's end, and nothing that a client may have written before. Without
 * proxies it is the connection's own address. Throws an `Error` that names the first part that is none.
 */
export function sourceReader(trusted: string): SourceReader {
  const ranges = trusted
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(rangeOf)
  if (ranges.length === 0) return (peer) => plain(peer ?? '')
  const isProxy = (address: string) => {
    const parsed = ipaddr.process(address)
    return ranges.some(
      ([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits),
    )
  }
  return (peer, forwardedFor = '') => {
    let source = plain(peer ?? '')
    for (const hop of forwardedFor.split(',').toReversed()) {
      if (!ipaddr.isValid(source) || !isProxy(source)) break
      const next = hop.trim()
      if (!isWhole(next)) break
      source = plain(next)
    }
    return source
  }
}

function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(text) && isWhole(text.slice(0, text.indexOf('/')))) {
    return ipaddr.parseCIDR(text)
  }
  if (!isWhole(text)) throw new Error(`${JSON.stringify(text)} is no address or range`)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** In the usual form alone: no octal or short ones. */
const isWhole = (text: string) =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/** IPv4 addresses of a socket that takes both kinds are written as themselves. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')
