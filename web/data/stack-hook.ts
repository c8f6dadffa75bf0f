import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { refresh } from './refresh.ts'
import { usePolled } from './use-polled.ts'

export type StackHook = components['schemas']['StackHook']
export type NewHook = components['schemas']['StackHookSecret']

/** Milliseconds. A request to a hook is no event. */
export const hookPace = 5_000
const hookPath = '/stacks/{name}/hook'

/** Reads the hook of a stack; a 404 if it has none. */
export const useHook = (name: string) => usePolled('/stacks/{name}/hook', { name }, hookPace)

export async function makeHook(name: string): Promise<NewHook> {
  const made = await unwrap(api.POST('/stacks/{name}/hook', { params: { path: { name } } }))
  refresh(hookPath)
  return made
}

/** Gives a hook another secret. */
export async function rotateHook(name: string): Promise<NewHook> {
  const made = await unwrap(api.POST('/stacks/{name}/hook/rotate', { params: { path: { name } } }))
  refresh(hookPath)
  return made
}

export async function deleteHook(name: string): Promise<void> {
  await unwrap(api.DELETE('/stacks/{name}/hook', { params: { path: { name } } }))
  refresh(hookPath)
}
