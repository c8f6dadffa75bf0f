import type { Needs } from '../ports/ports.ts'

/** Returns the name of a host; null if it was deleted or is outside the caller's scope. */
export type HostNames = (hostId: string) => string | null

/** Reads the hosts in the caller's scope once. */
export async function hostNames({ hosts }: Needs<'hosts'>): Promise<HostNames> {
  const names = new Map((await hosts.list()).map(({ id, name }) => [id, name]))
  return (hostId) => names.get(hostId) ?? null
}
