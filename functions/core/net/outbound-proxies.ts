import ipaddr from 'ipaddr.js'
import { parseUrl } from '../url.ts'
import { isAddress } from './addresses.ts'
import { normalHost } from './outbound-rules.ts'
import { type AddressRange, isIn, onlyOf } from './ranges.ts'

/** The proxies for the service's own requests, by the scheme of the request. */
export interface OutboundProxies {
  http: URL | null
  https: URL | null
  /** Destinations that are reached directly. */
  direct: readonly DirectRule[]
}

/** A null port means every port. A domain covers its name and all names below; '' covers all. */
type DirectRule = { port: number | null } & ({ domain: string } | { range: AddressRange })

/** Where a request goes. */
export interface Destination {
  isTls: boolean
  host: string
  port: number
}

export const withoutProxies: OutboundProxies = { http: null, https: null, direct: [] }

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY. As with curl, names in lowercase count first.
 *
 * @throws `Error` that names the variable, and never shows a password
 */
export function parseOutboundProxies(env: Record<string, string | undefined>): OutboundProxies {
  return {
    http: parseProxy('HTTP_PROXY', env.http_proxy || env.HTTP_PROXY || ''),
    https: parseProxy('HTTPS_PROXY', env.https_proxy || env.HTTPS_PROXY || ''),
    direct: (env.no_proxy || env.NO_PROXY || '')
      .split(/[\s,]+/)
      .filter((part) => part !== '')
      .map(parseDirect),
  }
}

function parseProxy(name: string, text: string): URL | null {
  if (text === '') return null
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (!url?.hostname || !/^https?:$/.test(url.protocol)) {
    throw new Error(`${name}: expected http://host:port or https://host:port`)
  }
  if (/%(?![0-9a-f]{2})/i.test(url.username + url.password)) {
    throw new Error(`${name}: write a % in the user name or password as %25`)
  }
  return url
}

/** Parses `*`, `lan`, `.lan`, `*.lan`, `nas.lan:9000`, `10.0.0.0/8` or `[fd00::1]:9`. */
function parseDirect(text: string): DirectRule {
  if (ipaddr.isValidCIDR(text)) return { range: ipaddr.parseCIDR(text), port: null }
  if (isAddress(text)) return { range: onlyOf(ipaddr.parse(text)), port: null }
  const [, host = text, digits] = /^(.+?)(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = digits === undefined ? null : Number(digits)
  const plain = normalHost(host)
  if (isAddress(plain)) return { range: onlyOf(ipaddr.parse(plain)), port }
  return { domain: plain.replace(/^\*?\.?/, ''), port }
}

/** Returns the proxy for a destination, or undefined if it is reached directly. */
export function proxyFor(proxies: OutboundProxies, to: Destination): URL | undefined {
  const proxy = to.isTls ? proxies.https : proxies.http
  if (!proxy) return undefined
  const host = normalHost(to.host)
  const isDirect = isThisMachine(host) || proxies.direct.some((rule) => covers(rule, host, to.port))
  return isDirect ? undefined : proxy
}

const isThisMachine = (host: string) =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  (isAddress(host) && ipaddr.process(host).range() === 'loopback')

function covers(rule: DirectRule, host: string, port: number): boolean {
  if (rule.port !== null && rule.port !== port) return false
  if ('range' in rule) return isAddress(host) && isIn(ipaddr.parse(host), rule.range)
  return rule.domain === '' || host === rule.domain || host.endsWith(`.${rule.domain}`)
}
