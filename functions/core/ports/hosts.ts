import type { Host } from '../records/host.ts'
import type { Collection } from './collection.ts'

/**
 * Hosts by ID. The local host is found with revision 0 before it is first written, and cannot be
 * removed.
 */
export type Hosts = Collection<Host>
