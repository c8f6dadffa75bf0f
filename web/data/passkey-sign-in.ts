import { t } from '../text/text.ts'
import type { components } from './api.types.ts'
import { hasAuthenticators, signWithPasskey } from './authenticator.ts'
import { base, type Credentials } from './browser-endpoints.ts'
import { timedFetch } from './clock.ts'
import { problemOf, RequestError } from './problem.ts'
import { session } from './session.ts'

/** How pages sign in with passkeys, or why they cannot. */
export type PasskeySignIn = components['schemas']['PasskeySignIn']

/** Returns a new challenge, and where passkeys can be used. */
export async function readPasskeySignIn(): Promise<PasskeySignIn> {
  const response = await timedFetch(`${base}/auth/passkeys`)
  const body: unknown = await response.json()
  if (!response.ok) throw new RequestError(problemOf(response, body))
  return body as PasskeySignIn
}

/** Returns why this page cannot use passkeys, or undefined if it can. */
export function obstacleOf({ origin, obstacle }: PasskeySignIn): string | undefined {
  if (origin === null) return t.login.obstacles[obstacle ?? 'no-address']
  if (origin !== location.origin) return t.login.elsewhere(origin)
  return hasAuthenticators() ? undefined : t.login.noAuthenticators
}

/**
 * Signs in with a passkey: alone, or instead of a code after a password.
 *
 * @param credentials the user name and the password, if the passkey takes the place of a code
 */
export async function logInWithPasskey(
  remembers: boolean,
  credentials: Credentials | undefined,
): Promise<void> {
  const { rp_id, challenge } = await readPasskeySignIn()
  const passkey = await signWithPasskey(rp_id ?? '', challenge ?? '')
  if (credentials) await session.logIn({ ...credentials, passkey })
  else await session.logInWithPasskey({ passkey, remember_me: remembers })
}
