import type { RetentionState } from '../records/retention-state.ts'
import type { Collection } from './collection.ts'

/** The progress of the sweeps: one record, written under their lease. */
export type RetentionStates = Collection<RetentionState>
