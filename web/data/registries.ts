import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { refresh } from './refresh.ts'

export type Registry = components['schemas']['Registry']

export async function createRegistry(body: components['schemas']['CreateRegistryBody']) {
  const created = await unwrap(api.POST('/registries', { body }))
  refresh('/registries')
  return created
}

/** Changes the account at a registry. A password that is left out stays. */
export async function changeRegistry(
  id: string,
  body: components['schemas']['UpdateRegistryBody'],
) {
  const changed = await unwrap(api.PUT('/registries/{id}', { params: { path: { id } }, body }))
  refresh('/registries')
  return changed
}

export async function removeRegistry(id: string): Promise<void> {
  await unwrap(api.DELETE('/registries/{id}', { params: { path: { id } } }))
  refresh('/registries')
}
