import type { Source } from '../records/source.ts'
import type { Collection } from './collection.ts'

/** The sources of stacks, by name. */
export type Sources = Collection<Source>
