import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { resource } from './cache.ts'
import { refresh } from './refresh.ts'

export type Settings = components['schemas']['Settings']
export type SettingsChange = components['schemas']['UpdateSettingsBody']
export type SecretKey = components['schemas']['SecretKey']
export type Provider = components['schemas']['OidcProvider']
export type ProviderChange = components['schemas']['OidcProviderChange']
type ProviderBody = components['schemas']['OidcProviderBody']

const byId = (id: string) => ({ params: { path: { id } } })

export async function changeSettings(body: SettingsChange): Promise<Settings> {
  const saved = await unwrap(api.PUT('/settings', { body }))
  await resource('/settings').reload()
  return saved
}

export async function createKey(): Promise<SecretKey> {
  const created = await unwrap(api.POST('/secret-keys'))
  refresh('/secret-keys')
  return created
}

export async function removeKey(id: string): Promise<void> {
  await unwrap(api.DELETE('/secret-keys/{id}', byId(id)))
  refresh('/secret-keys')
}

/** Adds a provider, or changes one. A secret that is left out stays. */
export async function saveProvider(
  id: string | undefined,
  body: ProviderChange,
): Promise<Provider> {
  const saved = await unwrap(
    id === undefined
      ? api.POST('/oidc-providers', { body: body as ProviderBody })
      : api.PUT('/oidc-providers/{id}', { ...byId(id), body }),
  )
  refresh('/oidc-providers')
  return saved
}

export async function removeProvider(id: string): Promise<void> {
  await unwrap(api.DELETE('/oidc-providers/{id}', byId(id)))
  refresh('/oidc-providers')
}
