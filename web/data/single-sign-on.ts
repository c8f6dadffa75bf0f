import { keptInTab, readJson } from '../browser/storage.ts'
import type { components } from './api.types.ts'
import { toBase64url } from './base64url.ts'
import { base } from './browser-endpoints.ts'
import { timedFetch } from './clock.ts'
import { ownPath } from './own-path.ts'
import { problemOf, RequestError } from './problem.ts'
import { session } from './session.ts'
import { sha256 } from './sha256.ts'

export type Provider = components['schemas']['SignInProvider']

/** A sign-in whose user is at the provider now. Stored for this tab only. */
interface PendingSignOn {
  verifier: string
  remembers: boolean
  /** The page to go to after the sign-in. */
  path: string
}

const pendingKey = 'single-sign-on'
/** The page that the provider redirects to. */
const returnPath = '/login'

/** Returns the identity providers that users can sign in with. */
export async function listProviders(): Promise<readonly Provider[]> {
  const response = await timedFetch(`${base}/auth/oidc/providers`)
  const body: unknown = await response.json()
  if (!response.ok) throw new RequestError(problemOf(response, body))
  return body as Provider[]
}

/** Leaves the page for the login of a provider. */
export function beginSignOn({ id }: Provider, remembers: boolean): void {
  const verifier = toBase64url(crypto.getRandomValues(new Uint8Array(32)))
  const path = location.pathname === returnPath ? '/' : `${location.pathname}${location.search}`
  keptInTab.setItem(
    pendingKey,
    JSON.stringify({ verifier, remembers, path } satisfies PendingSignOn),
  )
  const query = new URLSearchParams({
    redirect_uri: `${location.origin}${returnPath}`,
    code_challenge: toBase64url(sha256(new TextEncoder().encode(verifier))),
    errors: 'redirect',
  })
  location.assign(`${base}/auth/oidc/${encodeURIComponent(id)}/login?${query}`)
}

/**
 * Finishes a sign-in if a provider redirected to this page, then goes to the page that the user
 * opened first.
 *
 * @throws RequestError with the reason if the provider or the service refused the sign-in
 */
export async function finishSignOn(): Promise<void> {
  const query = new URLSearchParams(location.search)
  const pending = readJson(keptInTab, pendingKey) as PendingSignOn | undefined
  if (location.pathname !== returnPath || pending === undefined) return
  const [code, error] = [query.get('code'), query.get('error_description') ?? query.get('error')]
  if (code === null && error === null) return
  keptInTab.removeItem(pendingKey)
  history.replaceState(null, '', returnPath)
  if (code === null) throw new RequestError({ status: 401, error: error ?? '' })
  const { verifier, remembers, path } = pending
  await session.exchange({ code, code_verifier: verifier, remember_me: remembers })
  location.replace(ownPath(path))
}
