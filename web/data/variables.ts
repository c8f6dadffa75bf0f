import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { refresh } from './refresh.ts'

export type VariableSet = components['schemas']['VariableSet']

/** A change of a set: what it leaves out stays, and null deletes a variable. */
export type VariableSetChange = components['schemas']['UpdateVariableSetBody']

/** Stacks say whether a set that they take has changed. */
const changed = () => refresh('/variables', '/stacks', '/stacks/{name}')

export async function createSet(
  body: components['schemas']['CreateVariableSetBody'],
): Promise<VariableSet> {
  const created = await unwrap(api.POST('/variables', { body }))
  changed()
  return created
}

export async function changeSet(name: string, body: VariableSetChange): Promise<VariableSet> {
  const saved = await unwrap(api.PUT('/variables/{name}', { params: { path: { name } }, body }))
  changed()
  return saved
}

export async function removeSet(name: string): Promise<void> {
  await unwrap(api.DELETE('/variables/{name}', { params: { path: { name } } }))
  changed()
}

/** Saves which sets a stack takes, as a new revision. */
export async function takeSets(name: string, sets: readonly string[]) {
  const body = { shared_variables: [...sets] }
  const saved = await unwrap(api.PUT('/stacks/{name}', { params: { path: { name } }, body }))
  changed()
  return saved
}
