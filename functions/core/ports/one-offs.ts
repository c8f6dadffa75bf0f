import type { OneOff } from '../records/one-off.ts'
import type { Collection } from './collection.ts'

/** The one-off containers that have not ended. */
export type OneOffs = Collection<OneOff>
