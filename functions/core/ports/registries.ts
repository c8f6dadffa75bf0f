import type { Registry } from '../records/registry.ts'
import type { Collection } from './collection.ts'

export type Registries = Collection<Registry>

/** The read access that pulls and builds need. */
export type RegistryCredentials = Pick<Registries, 'find' | 'list'>
