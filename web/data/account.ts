import { api, unwrap } from './api.ts'
import { resource } from './cache.ts'
import { session } from './session.ts'

/** Changes the password of the signed-in user. Every other session ends. */
export async function changePassword(
  current_password: string,
  password: string,
  ends: { end_api_tokens: boolean; end_passkeys: boolean },
): Promise<void> {
  await unwrap(api.PUT('/me/password', { body: { current_password, password, ...ends } }))
  await resource('/me/sessions').reload()
  await resource('/api-tokens').reload()
  if (ends.end_passkeys) await resource('/me/passkeys').reload()
}

export async function endSession(id: string): Promise<void> {
  await unwrap(api.DELETE('/me/sessions/{id}', { params: { path: { id } } }))
  await resource('/me/sessions').reload()
}

/** Ends all sessions of the user but this one, and the API tokens if asked to. */
export async function endOtherSessions(end_api_tokens: boolean): Promise<void> {
  await unwrap(api.DELETE('/me/sessions', { params: { query: { end_api_tokens } } }))
  await resource('/me/sessions').reload()
  await resource('/api-tokens').reload()
}

/** Starts to set up a second factor. Returns its secret. */
export const beginMfa = (password: string) => unwrap(api.POST('/me/mfa', { body: { password } }))

/** Turns the second factor on. Returns the recovery codes. */
export async function confirmMfa(
  totp_code: string,
  end_api_tokens: boolean,
): Promise<readonly string[]> {
  const body = { totp_code, end_api_tokens }
  const { recovery_codes } = await unwrap(api.POST('/me/mfa/verify', { body }))
  await resource('/api-tokens').reload()
  return recovery_codes
}

export async function endMfa(password: string, totp_code: string): Promise<void> {
  await unwrap(api.POST('/me/mfa/disable', { body: { password, totp_code } }))
  await session.reload()
}

/** What a user types to confirm an action some time after the sign-in. */
export type Confirmation = { password: string } | { totp_code: string }

/** Creates an API token. Returns it with its secret, which no later request returns. */
export async function createToken(
  name: string,
  days: number | undefined,
  confirmation: Confirmation | undefined,
) {
  const body = { name, ...(days !== undefined && { expires_in_days: days }), ...confirmation }
  const created = await unwrap(api.POST('/api-tokens', { body }))
  await resource('/api-tokens').reload()
  return created
}

export async function revokeToken(id: string): Promise<void> {
  await unwrap(api.DELETE('/api-tokens/{id}', { params: { path: { id } } }))
  await resource('/api-tokens').reload()
}
