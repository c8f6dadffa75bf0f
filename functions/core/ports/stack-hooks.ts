import type { StackHook } from '../records/stack-hook.ts'
import type { Collection } from './collection.ts'

/** The hooks of stacks, by the name of the stack. */
export type StackHooks = Collection<StackHook>
