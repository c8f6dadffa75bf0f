import type { Needs } from '../ports/ports.ts'

/** Returns the name of a host for a message, or its id if it was removed meanwhile. */
export const hostNameOf = async (id: string, { hosts }: Needs<'hosts'>): Promise<string> =>
  (await hosts.find(id))?.name ?? id
