import { conflict } from '../errors.ts'
import type { Site } from '../ports/site.ts'
import { parseUrl } from '../url.ts'

/** The service as browsers and authenticators know it. */
export interface RelyingParty {
  /** The host name that passkeys are bound to. */
  id: string
  /** The only origin whose pages may use them. */
  origin: string
}

/**
 * Why there are no passkeys at the address of the service: it has none configured, its host is an
 * IP address, or it is plain http.
 */
export type PasskeyObstacle = 'no-address' | 'ip-address' | 'no-tls'

/**
 * Returns the relying party of the configured address, or why there is none. Browsers offer
 * passkeys to names only, and without TLS only to `localhost`. The `Host` header is not used: any
 * program on another port of that host could ask for passkeys and pass the signatures on.
 */
export function relyingPartyOf({ baseUrl }: Pick<Site, 'baseUrl'>): RelyingParty | PasskeyObstacle {
  const url = baseUrl === null ? undefined : parseUrl(baseUrl)
  if (!url) return 'no-address'
  const { protocol, hostname, origin } = url
  if (/^\[|^\d+(\.\d+){3}$/.test(hostname)) return 'ip-address'
  const isLocal = /^(.+\.)?localhost$/.test(hostname)
  return protocol === 'https:' || isLocal ? { id: hostname, origin } : 'no-tls'
}

/**
 * Returns the relying party of the configured address.
 *
 * @throws 409 if there is none, with what to do
 */
export function requireRelyingParty(site: Pick<Site, 'baseUrl'>): RelyingParty {
  const party = relyingPartyOf(site)
  if (typeof party === 'string') throw conflict(`passkeys cannot be used here: ${ways[party]}`)
  return party
}

const ways: Readonly<Record<PasskeyObstacle, string>> = {
  'no-address': 'set SERVICE_BASE_URL to the https address of the service',
  'ip-address': 'SERVICE_BASE_URL must have a host name, not an IP address',
  'no-tls': 'SERVICE_BASE_URL must begin with https://, unless its host is localhost',
}
