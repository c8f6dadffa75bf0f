import { must } from './must.ts'
import type { NetworkConfig, Project, VolumeConfig } from './project.ts'
import type { Service } from './service.ts'

/**
 * Returns the entry of a record under a name that people chose, or undefined. A plain read such as
 * `labels[name]` finds a function for names like `constructor`, which every object inherits.
 */
export const ownEntry = <T>(
  record: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined => (record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined)

/** Returns a service of the project. */
export const serviceOf = ({ services }: Pick<Project, 'services'>, name: string): Service =>
  must(ownEntry(services, name), `service ${name}`)

/** Returns a network of the project. */
export const networkOf = ({ networks }: Pick<Project, 'networks'>, key: string): NetworkConfig =>
  must(ownEntry(networks, key), `network ${key}`)

/** Returns a volume of the project. */
export const volumeOf = ({ volumes }: Pick<Project, 'volumes'>, key: string): VolumeConfig =>
  must(ownEntry(volumes, key), `volume ${key}`)
