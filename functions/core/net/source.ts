import ipaddr from 'ipaddr.js'
import { isAddress } from './addresses.ts'
import { type AddressRange, isIn, onlyOf } from './ranges.ts'

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
    return ranges.some((range) => isIn(parsed, range))
  }
  return (peer, forwardedFor = '') => {
    let source = plain(peer ?? '')
    for (const hop of forwardedFor.split(',').toReversed()) {
      if (!ipaddr.isValid(source) || !isProxy(source)) break
      const next = hop.trim()
      if (!isAddress(next)) break
      source = plain(next)
    }
    return source
  }
}

function rangeOf(text: string): AddressRange {
  if (ipaddr.isValidCIDR(text) && isAddress(text.slice(0, text.indexOf('/')))) {
    return ipaddr.parseCIDR(text)
  }
  if (!isAddress(text)) throw new Error(`${JSON.stringify(text)} is no address or range`)
  return onlyOf(ipaddr.process(text))
}

/** IPv4 addresses of a socket that takes both kinds are written as themselves. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')
