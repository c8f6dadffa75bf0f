import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { refresh } from './refresh.ts'
import { hookPace } from './stack-hook.ts'
import { usePolled } from './use-polled.ts'

export type SourceHook = components['schemas']['SourceHook']
export type NewSourceHook = components['schemas']['SourceHookSecret']

const hookPath = '/sources/{name}/hook'

/** Reads the hook of a source; a 404 if it has none. */
export const useSourceHook = (name: string) => usePolled('/sources/{name}/hook', { name }, hookPace)

export async function makeSourceHook(name: string): Promise<NewSourceHook> {
  const made = await unwrap(api.POST('/sources/{name}/hook', { params: { path: { name } } }))
  refresh(hookPath)
  return made
}

/** Gives a hook another secret. */
export async function rotateSourceHook(name: string): Promise<NewSourceHook> {
  const made = await unwrap(api.POST('/sources/{name}/hook/rotate', { params: { path: { name } } }))
  refresh(hookPath)
  return made
}

export async function deleteSourceHook(name: string): Promise<void> {
  await unwrap(api.DELETE('/sources/{name}/hook', { params: { path: { name } } }))
  refresh(hookPath)
}
