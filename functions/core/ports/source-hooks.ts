import type { SourceHook } from '../records/source-hook.ts'
import type { Collection } from './collection.ts'

/** The hooks of sources, by the name of the source. */
export type SourceHooks = Collection<SourceHook>
