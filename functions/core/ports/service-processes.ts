import type { ServiceProcess } from '../records/installation.ts'
import type { Collection } from './collection.ts'

/**
 * Where the processes of the service run, those that have ended included: a stopped container still
 * has the keys. Members of the installation are found by this record, never by labels or names.
 */
export type ServiceProcesses = Collection<ServiceProcess>
