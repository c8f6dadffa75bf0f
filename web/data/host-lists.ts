import type { components } from './api.types.ts'

type UnreachableHost = components['schemas']['UnreachableHost']

/** What the API returns for the things of one host, or of all hosts. */
export type OfHosts<T> =
  | readonly T[]
  | { items: readonly T[]; unreachable_hosts: UnreachableHost[] }

/** Returns the things, and the hosts whose things are missing. */
export const splitHosts = <T>(
  value: OfHosts<T>,
): { items: readonly T[]; unreachable: readonly UnreachableHost[] } =>
  'items' in value
    ? { items: value.items, unreachable: value.unreachable_hosts }
    : { items: value, unreachable: [] }
