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

/** The form of `registryAddress`. */
export const registryPattern = /^(\[[0-9a-f:]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/

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

/**
 * Returns the address of the registry that an image reference leads to: its first part, if that
 * looks like a host, and Docker Hub's else.
 */
export function registryOf(reference: string): string {
  const slash = reference.indexOf('/')
  const first = slash > 0 ? reference.slice(0, slash) : ''
  return isRegistry(first) ? registryAddress(first) : dockerHub
}

/**
 * Returns whether the Engine takes the first part of a reference for the address of a registry: it
 * has a dot, a port or a capital letter, or is `localhost`.
 */
export const isRegistry = (first: string): boolean =>
  first !== '' && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase())
