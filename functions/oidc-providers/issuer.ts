/** Why an address can be no issuer, or nothing (OpenID Connect Discovery, section 2; plain HTTP to this machine alone). */
export function issuerProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return 'is no address'
  const local = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) {
    return 'must begin with https://; http:// is for this machine alone'
  }
  if (url.username || url.password) return 'has a user name or password in it'
  if (/[?#]/.test(text)) return 'has a query or a fragment'
  if (url.pathname.includes('/.well-known/')) return 'ends before /.well-known/'
  return undefined
}

/** An id that people can read, made of a name; nothing when no letter of it is left. */
export function idOf(name: string): string | undefined {
  const plain = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40) || undefined
  )
}
