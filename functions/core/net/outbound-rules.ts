import ipaddr from 'ipaddr.js'
import { addressProblem, isAddress } from './addresses.ts'
import { type AddressRange, isIn, onlyOf } from './ranges.ts'

/**
 * An exception: a destination that may be dialed although it would be refused. A null port means
 * every port.
 */
export type OutboundRule = { port: number | null } & ({ host: string } | { range: AddressRange })

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * Parses rules such as `127.0.0.1:9000, 10.1.0.0/16, [::1], receiver.lan:8443`: addresses, ranges
 * and names, separated by commas or spaces.
 *
 * @throws `Error` that names the first part that is none of these
 */
export function parseOutboundRules(text: string): OutboundRule[] {
  return text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(parseRule)
}

function parseRule(text: string): OutboundRule {
  if (ipaddr.isValidCIDR(text)) return { range: ipaddr.parseCIDR(text), port: null }
  if (isAddress(text)) return { range: wholeOf(text), port: null }
  const [, bracketed, plain, digits] =
    /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = digits === undefined ? null : Number(digits)
  if (port === null || (port > 0 && port < 65_536)) {
    if (bracketed && isAddress(bracketed)) return { range: wholeOf(bracketed), port }
    if (plain && isAddress(plain)) return { range: wholeOf(plain), port }
    if (plain && isName(normalHost(plain))) return { host: normalHost(plain), port }
  }
  throw new Error(`${JSON.stringify(text)} is not an address, range or name`)
}

/**
 * Returns why a name or address is not dialed on this port, or undefined. Does not resolve names.
 */
export function hostProblem(
  rules: readonly OutboundRule[],
  host: string,
  port: number,
): string | undefined {
  const plain = normalHost(host)
  if (isAddress(plain)) return dialProblem(rules, plain, plain, port)
  // RFC 6761, section 6.3: these names always mean this machine, whatever a resolver returns.
  const local = plain === 'localhost' || plain.endsWith('.localhost')
  return local ? dialProblem(rules, plain, '127.0.0.1', port) : undefined
}

/** Returns why an address that `host` resolved to is not dialed on this port, or undefined. */
export function dialProblem(
  rules: readonly OutboundRule[],
  host: string,
  address: string,
  port: number,
): string | undefined {
  const problem = addressProblem(address)
  if (problem === undefined || rules.some((rule) => allows(rule, host, address, port))) {
    return undefined
  }
  const plain = normalHost(host)
  const subject = plain === address ? `${plain} is` : `${plain} resolves to`
  return `${subject} ${problem}, which is rejected unless SERVICE_OUTBOUND_ALLOW allows it`
}

function allows(rule: OutboundRule, host: string, address: string, port: number): boolean {
  if (rule.port !== null && rule.port !== port) return false
  if ('host' in rule) return rule.host === normalHost(host)
  return isAddress(address) && isIn(ipaddr.parse(address), rule.range)
}

/**
 * Returns a host in its normal form: lowercase, without the brackets of an IPv6 address and without
 * the trailing dot of a name.
 */
export const normalHost = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

const wholeOf = (text: string) => onlyOf(ipaddr.parse(text))

const isName = (text: string) => text.length <= 253 && text.split('.').every((it) => label.test(it))
