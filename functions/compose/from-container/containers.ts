import type { Fields } from './fields.ts'
import type { InspectedMount } from './inspection.ts'

/** What is known of the containers around the one that is written. */
export interface Neighbours {
  /** Id of each container of the host → its name. */
  containerNames: ReadonlyMap<string, string>
  /** The names of the containers that are written as services of these names. */
  services: ReadonlySet<string>
  /** The names of all volumes that these containers use. */
  volumeNames: ReadonlySet<string>
}

/** Returns the name of a container that the Engine shows by its id or name. */
export const containerNamed = (text: string, { containerNames }: Neighbours): string =>
  containerNames.get(text) ?? text.replace(/^\//, '')

/** Returns a namespace: that of a container is one of a service, if that is written too. */
export function sharedNamespace(mode: string, neighbours: Neighbours): string {
  if (!mode.startsWith('container:')) return mode
  const name = containerNamed(mode.slice('container:'.length), neighbours)
  return neighbours.services.has(name) ? `service:${name}` : `container:${name}`
}

/** Networks and volumes that a service uses, all of which exist: key of the file → its entry. */
export interface Outside {
  networks: Fields
  volumes: Fields
}

/** Returns whether a mount is a volume whose name the Engine made. */
export const isAnonymous = ({ name }: Pick<InspectedMount, 'name'>): boolean =>
  /^[0-9a-f]{64}$/.test(name)
