/** Docker Hub, the registry of names without an address. */
export const dockerHub = 'docker.io'

/** Matches the addresses that `registryAddress` returns. */
export const registryPattern = /^(\[[0-9a-f:]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/

const hubNames = new Set([dockerHub, 'index.docker.io', 'registry-1.docker.io', 'hub.docker.com'])

/** Returns the normal form of a registry's address: host and port, with one name for Docker Hub. */
export function registryAddress(text: string): string {
  const address = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/(v[12]\/?)?$/, '')
  return hubNames.has(address) ? dockerHub : address
}

/**
 * Returns the address of the registry of an image reference: its first part if that looks like a
 * host, otherwise Docker Hub.
 */
export function registryOf(reference: string): string {
  const slash = reference.indexOf('/')
  const first = slash > 0 ? reference.slice(0, slash) : ''
  return isRegistry(first) ? registryAddress(first) : dockerHub
}

/**
 * Returns whether the Engine reads the first part of a reference as the address of a registry: it
 * contains a dot, a colon or a capital letter, or is `localhost`.
 */
export const isRegistry = (first: string): boolean =>
  first !== '' && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase())
