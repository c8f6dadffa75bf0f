import { wrongUsage } from '../failure.ts'

/**
 * Normalises the address of a service: no trailing slash, no `/api/v1`. Throws wrong usage for
 * anything else.
 */
export function serverUrl(text: string): string {
  const url = /^https?:\/\//i.test(text) ? parse(text) : undefined
  if (!url) {
    throw wrongUsage(
      `${JSON.stringify(text)} is not a URL`,
      'use a URL such as https://stacks.example.com',
    )
  }
  if (url.username || url.password)
    throw wrongUsage('the URL must not contain a user name or password')
  if (url.search || url.hash) throw wrongUsage('the URL must not have a query or a fragment')
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}`
}

/** Returns whether an address says how to connect, such as `https://nas`, unlike `nas:8080`. */
export const hasScheme = (text: string): boolean => text.includes('://')

/** Returns whether two addresses have the same scheme, host and port. */
export const isSameOrigin = (one: string, other: string): boolean =>
  new URL(one).origin === new URL(other).origin

function parse(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/**
 * Returns true if requests to the address can be read in transit: plain HTTP to another machine.
 */
export function isExposed(server: string): boolean {
  const { protocol, hostname } = new URL(server)
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
