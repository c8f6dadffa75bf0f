import type { components } from './api.types.ts'

type UnreachableHost = components['schemas']['UnreachableHost']

/** The response of a list of resources on one host, or on all hosts. */
export type OfHosts<T> =
  | readonly T[]
  | { items: readonly T[]; unreachable_hosts: UnreachableHost[] }

/** Returns the resources, and the hosts whose resources are missing. */
export const splitHosts = <T>(
  value: OfHosts<T>,
): { items: readonly T[]; unreachable: readonly UnreachableHost[] } =>
  'items' in value
    ? { items: value.items, unreachable: value.unreachable_hosts }
    : { items: value, unreachable: [] }
