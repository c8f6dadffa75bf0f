import ipaddr from 'ipaddr.js'
import { addressProblem, isAddress } from './addresses.ts'
import { type AddressRange, isIn, onlyOf } from './ranges.ts'

/** One thing that may be dialed although it would be refused. Without a port: on every one. */
export type OutboundRule = { port: number | null } & ({ host: string } | { range: AddressRange })

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * Rules of a text like `127.0.0.1:9000, 10.1.0.0/16, [::1], receiver.lan:8443`: addresses, ranges and names, commas or blanks
 * between. Throws an `Error` that names the first part that is none of them.
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
  throw new Error(`${JSON.stringify(text)} is no address, range or name`)
}

/** Why a name or an address is not dialed on that port, as far as it can be told without asking for the name. */
export function hostProblem(
  rules: readonly OutboundRule[],
  host: string,
  port: number,
): string | undefined {
  const plain = normalHost(host)
  if (isAddress(plain)) return dialProblem(rules, plain, plain, port)
  // RFC 6761, section 6.3: such names are this machine, whatever a resolver says.
  const local = plain === 'localhost' || plain.endsWith('.localhost')
  return local ? dialProblem(rules, plain, '127.0.0.1', port) : undefined
}

/** Why an address to which a name led is not dialed on that port. */
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
  const subject = plain === address ? `${plain} is` : `${plain} leads to`
  return `${subject} ${problem}, which is not dialed unless SERVICE_OUTBOUND_ALLOW allows it`
}

function allows(rule: OutboundRule, host: string, address: string, port: number): boolean {
  if (rule.port !== null && rule.port !== port) return false
  if ('host' in rule) return rule.host === normalHost(host)
  return isAddress(address) && isIn(ipaddr.parse(address), rule.range)
}

/** A host in one form: small letters, without the brackets of an address and the dot at the end of a name. */
export const normalHost = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

const wholeOf = (text: string) => onlyOf(ipaddr.parse(text))

const isName = (text: string) => text.length <= 253 && text.split('.').every((it) => label.test(it))
