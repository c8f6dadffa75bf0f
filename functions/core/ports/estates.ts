import type { EstateRecord } from '../records/estate.ts'
import type { Collection } from './collection.ts'

/** What was applied of each estate, by its name. */
export type Estates = Collection<EstateRecord>
