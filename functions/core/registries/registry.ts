import type { Collection } from '../collection.ts'

/** What an image registry is asked with. `id` is its address; times are milliseconds since the epoch. */
export interface Registry {
  id: string
  username: string
  password: string
  createdAt: number
  updatedAt: number
}

export type Registries = Collection<Registry>

/** The part that pulls and builds need. */
export type RegistryCredentials = Pick<Registries, 'find' | 'list'>

/** Docker Hub: where names without an address lead. */
export const dockerHub = 'docker.io'

const hubNames = new Set([dockerHub, 'index.docker.io', 'registry-1.docker.io', 'hub.docker.com'])

/** A registry's address in the one form it is kept in: host and port, Docker Hub under one name. */
export function registryAddress(text: string): string {
  const address = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/(v[12]\/?)?$/, '')
  return hubNames.has(address) ? dockerHub : address
}

/** The address of the registry that an image reference leads to: its first part, when that looks like a host. */
export function registryOf(reference: string): string {
  const slash = reference.indexOf('/')
  const first = slash > 0 ? reference.slice(0, slash) : ''
  const isHost = /[.:]/.test(first) || first === 'localhost'
  return isHost ? registryAddress(first) : dockerHub
}
