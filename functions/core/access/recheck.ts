import type { Needs } from '../ports.ts'
import type { Caller } from './account.ts'
import { type CallerPorts, callerNow } from './caller.ts'
import { allows, type Required } from './grant.ts'
import { inScope } from './scope.ts'

/** What somebody does over a longer time: the permission that it takes, and the host that it is on, if on one. */
export interface Watched {
  access: Required
  hostId?: string
}

/** How often a stream asks again at least. Milliseconds. */
export const recheckEvery = 4000

/**
 * The caller of something that goes on, as he is now, or nothing when he may do it no longer: his session or token is
 * over, his account is disabled or gone, his role lost the permission, or the host left his scope. What is open asks this
 * every `recheckEvery`, and ends when nothing comes back. Throws when the store does not answer: then nobody knows, and
 * what is open must not outlast a second failure.
 */
export async function recheck(
  caller: Pick<Caller, 'credential'>,
  { access, hostId }: Watched,
  ports: CallerPorts & Needs<'hosts'>,
): Promise<Caller | undefined> {
  const now = await callerNow(caller.credential, ports)
  if (!now || !allows(now, access)) return undefined
  if (hostId === undefined) return now
  const host = await ports.hosts.find(hostId)
  return host && inScope(now.scopeTags, host) ? now : undefined
}
