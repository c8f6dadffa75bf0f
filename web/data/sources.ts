import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { refresh } from './refresh.ts'

export type Source = components['schemas']['Source']

export async function createSource(body: components['schemas']['CreateSourceBody']) {
  const created = await unwrap(api.POST('/sources', { body }))
  refresh('/sources')
  return created
}

/** Changes how a source is read. What is left out stays. */
export async function changeSource(name: string, body: components['schemas']['UpdateSourceBody']) {
  const changed = await unwrap(api.PUT('/sources/{name}', { params: { path: { name } }, body }))
  refresh('/sources')
  return changed
}

/** Asks a source now. Resolves with what it has, also if it could not be read. */
export async function lookAtSource(name: string): Promise<Source> {
  const source = await unwrap(api.POST('/sources/{name}/look', { params: { path: { name } } }))
  refresh('/sources')
  return source
}

export async function removeSource(name: string): Promise<void> {
  await unwrap(api.DELETE('/sources/{name}', { params: { path: { name } } }))
  refresh('/sources')
}
