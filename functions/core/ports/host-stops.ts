import type { HostStops } from '../records/host-stops.ts'
import type { Collection } from './collection.ts'

/** The stops of containers, by host ID. */
export type HostStopsStore = Collection<HostStops>
