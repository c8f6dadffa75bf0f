import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'

type Schemas = components['schemas']
export type NewStack = Schemas['NewStack']

/** Saves a new stack. Nothing is deployed yet. */
export const createStack = (body: NewStack) => unwrap(api.POST('/stacks', { body }))
