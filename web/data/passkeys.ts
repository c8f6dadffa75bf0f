import type { Confirmation } from './account.ts'
import { api, unwrap } from './api.ts'
import { makePasskey } from './authenticator.ts'
import { resource } from './cache.ts'

/** Makes a passkey and adds it to the account of the signed-in user. */
export async function addPasskey(name: string, confirmation: Confirmation): Promise<void> {
  const asked = await unwrap(api.POST('/me/passkeys/options', { body: confirmation }))
  const made = await makePasskey(asked)
  await unwrap(api.POST('/me/passkeys', { body: { name, ...made } }))
  await resource('/me/passkeys').reload()
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await unwrap(api.PUT('/me/passkeys/{id}', { params: { path: { id } }, body: { name } }))
  await resource('/me/passkeys').reload()
}

export async function deletePasskey(id: string): Promise<void> {
  await unwrap(api.DELETE('/me/passkeys/{id}', { params: { path: { id } } }))
  await resource('/me/passkeys').reload()
}
