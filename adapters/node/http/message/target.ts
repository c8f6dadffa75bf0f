import type { IncomingMessage } from 'node:http'
import { type Failure, invalid, notFound } from '../../../../functions/core/errors.ts'

/** A request's target: path and query as they were sent, the query without its question mark. */
export interface Target {
  path: string
  query: string
}

/**
 * Returns the target of a request, in origin-form or in the absolute-form for proxies (RFC 9112,
 * 3.2).
 */
export function targetOf(url: string): Target {
  const absolute = /^https?:\/\/[^/?#]*/i.exec(url)?.[0]
  const target = absolute ? url.slice(absolute.length) || '/' : url
  const mark = target.indexOf('?')
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/**
 * Returns why a request is refused before routing, or undefined: headers that two parsers could
 * interpret differently, or a path that is not in its canonical form.
 */
export const refusalOf = (incoming: IncomingMessage, target: Target): Failure | undefined =>
  headerRefusal(incoming) ?? pathRefusal(target)

/** Returns why a request is refused for its headers, or undefined. */
export function headerRefusal(incoming: IncomingMessage): Failure | undefined {
  const { rawHeaders, headers } = incoming
  if (headers.host === undefined) {
    if (incoming.httpVersion !== '1.0') return invalid('the request has no Host header')
  } else if (!plainHost.test(headers.host) && !isHost(headers.host)) {
    return invalid('the Host header is not a host')
  }
  const twice = repeated(rawHeaders)
  return twice ? invalid(`the header ${twice} is given more than once`) : undefined
}

/**
 * Returns why a path is refused, or undefined. So a handler never sees a dot segment or a NUL in a
 * parameter, nor, with `slashRefusal`, a slash.
 */
export const pathRefusal = ({ path }: Target): Failure | undefined =>
  path === '/' || plainPath.test(path) ? undefined : trick(path)

/**
 * Returns the refusal of a path with an encoded slash. Only routes whose parameters may contain one
 * do without this check.
 */
export function slashRefusal({ path }: Target): Failure | undefined {
  return /%2f/i.test(path) ? notFound('this route has no encoded slash in its path') : undefined
}

/**
 * Names and IPv4 addresses that need no further check. A name that ends in digits may be an address
 * that does not exist, such as `nas.1`, and a port of five digits may be too high.
 */
const plainHost = /^(?:[a-z][a-z0-9.-]*[a-z]|1?\d?\d(?:\.1?\d?\d){3})(?::\d{1,4})?$/i
/** Segments of unreserved characters without a leading dot, as almost all requests have. */
const plainPath = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9_~.:@-]*)+$/
const legalPath = /^\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/

function isHost(host: string): boolean {
  if (!/^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(host)) return false
  return URL.canParse(`http://${host}/`)
}

function trick(path: string): Failure | undefined {
  if (!legalPath.test(path)) return invalid('the path contains invalid characters')
  if (/%5c/i.test(path)) return notFound('no route has an encoded backslash in its path')
  const decoded = decode(path)
  if (decoded === undefined) return invalid('the path is not valid UTF-8')
  if (/[\u0000-\u001f\u007f]/.test(decoded)) return invalid('the path contains control characters')
  const segments = decoded.split('/').slice(1)
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    return notFound('no route has a dot segment in its path')
  }
  // People add a slash to the address of a page.
  const isPage = !/^\/api(?:\/|$)/.test(decoded)
  const named = isPage && segments.at(-1) === '' ? segments.slice(0, -1) : segments
  if (named.some((segment) => segment === '')) return notFound('no route has an empty segment')
  return undefined
}

/** Returns the percent-decoded text, or undefined if it is not UTF-8. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Headers of which Node silently keeps only the first. */
const single = new Set(['host', 'authorization', 'content-type'])

function repeated(rawHeaders: string[]): string | undefined {
  let seen: string[] | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] ?? ''
    if (header.length !== 4 && header.length !== 13 && header.length !== 12) continue
    const name = header.toLowerCase()
    if (!single.has(name)) continue
    if (seen?.includes(name)) return name
    seen = seen ? [...seen, name] : [name]
  }
  return undefined
}
