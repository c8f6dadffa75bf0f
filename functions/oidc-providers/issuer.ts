import { parseUrl } from '../core/url.ts'

/**
 * Returns why a URL cannot be an issuer, or undefined if it can (OpenID Connect Discovery, section
 * 2). Plain HTTP is allowed only to this machine.
 */
export function issuerProblem(text: string): string | undefined {
  const url = parseUrl(text)
  if (!url) return 'is not a URL'
  const local = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) {
    return 'must begin with https://; http:// is allowed only for this machine'
  }
  if (url.username || url.password) return 'must not contain a user name or password'
  if (/[?#]/.test(text)) return 'must not have a query or a fragment'
  if (url.pathname.includes('/.well-known/')) return 'must not include /.well-known/'
  return undefined
}

/** Returns a readable id derived from a name, or undefined if no letter or digit remains. */
export function idOf(name: string): string | undefined {
  const plain = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40) || undefined
  )
}
