import type { HostWatch } from '../records/host-watch.ts'
import type { Collection } from './collection.ts'

/** The watches of hosts, by host ID. */
export type HostWatches = Collection<HostWatch>
