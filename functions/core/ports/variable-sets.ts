import type { VariableSet } from '../records/variable-set.ts'
import type { Collection } from './collection.ts'

/** The sets of shared variables, by name. */
export type VariableSets = Collection<VariableSet>
