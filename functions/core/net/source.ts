import ipaddr from 'ipaddr.js'
import { isAddress } from './addresses.ts'
import { type AddressRange, isIn, onlyOf } from './ranges.ts'

/**
 * Returns the source address of a request, from its connection and its `X-Forwarded-For` header.
 */
export type SourceReader = (peer: string | undefined, forwardedFor?: string) => string

/**
 * Returns a reader of source addresses behind trusted proxies. `trusted` lists addresses and
 * ranges, separated by commas or spaces. The reader accepts the address that each trusted proxy
 * appended to the header and ignores what the client sent before it. Without proxies it returns the
 * address of the connection.
 *
 * @throws `Error` that names the first part that is neither an address nor a range
 */
export function sourceReader(trusted: string): SourceReader {
  const ranges = trusted
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(rangeOf)
  if (ranges.length === 0) return (peer) => plainAddress(peer ?? '')
  const isProxy = (address: string) => {
    const parsed = ipaddr.process(address)
    return ranges.some((range) => isIn(parsed, range))
  }
  return (peer, forwardedFor = '') => {
    let source = plainAddress(peer ?? '')
    for (const hop of forwardedFor.split(',').toReversed()) {
      if (!ipaddr.isValid(source) || !isProxy(source)) break
      const next = hopAddress(hop.trim())
      if (next === undefined) break
      source = plainAddress(next)
    }
    return source
  }
}

/**
 * Returns the address of one hop, or undefined if the hop is none. Some proxies append the port of
 * the connection, and write brackets around IPv6 addresses (RFC 7239, section 6).
 */
function hopAddress(hop: string): string | undefined {
  // An IPv6 address without brackets has no port: its last part belongs to the address.
  if (isAddress(hop)) return hop
  const { bracketed = '', bare = '', port = '0' } = withPort.exec(hop)?.groups ?? {}
  if (Number(port) > portMax) return undefined
  if (ipaddr.IPv6.isValid(bracketed)) return bracketed
  return ipaddr.IPv4.isValidFourPartDecimal(bare) ? bare : undefined
}

const withPort = /^(?:\[(?<bracketed>[^[\]]+)\]|(?<bare>[^:]+))(?::(?<port>\d{1,5}))?$/

const portMax = 65_535

function rangeOf(text: string): AddressRange {
  if (ipaddr.isValidCIDR(text) && isAddress(text.slice(0, text.indexOf('/')))) {
    return ipaddr.parseCIDR(text)
  }
  if (!isAddress(text)) throw new Error(`${JSON.stringify(text)} is not an address or range`)
  return onlyOf(ipaddr.process(text))
}

/**
 * Returns an address in its usual spelling, because proxies write one in several, and IPv4-mapped
 * IPv6 addresses, which a dual-stack socket reports for IPv4 peers, as IPv4.
 */
export const plainAddress = (address: string): string =>
  isAddress(address) ? ipaddr.process(address).toString() : address
