import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import { type CallerPorts, currentCaller } from './caller.ts'
import { allows, type Required } from './grant.ts'
import { inScope } from './scope.ts'

/** A long-lived access such as a stream: the required permission, and the host if it is on one. */
export interface Watched {
  access: Required
  hostId?: string
}

/** The longest time between two checks of a stream. Milliseconds. */
export const recheckEvery = 4000

/**
 * Returns the current caller of a long-lived access, or undefined if the access must end: the
 * session or token has ended, the account is disabled or deleted, the role lost the permission, or
 * the host left the caller's scope. Streams call this every `recheckEvery`.
 *
 * It throws if the store does not respond. The caller's rights are then unknown, and the stream
 * must not survive a second failure.
 */
export async function recheck(
  caller: Pick<Caller, 'credential'>,
  { access, hostId }: Watched,
  ports: CallerPorts & Needs<'hosts'>,
): Promise<Caller | undefined> {
  const now = await currentCaller(caller.credential, ports)
  if (!now || !allows(now, access)) return undefined
  if (hostId === undefined) return now
  const host = await ports.hosts.find(hostId)
  return host && inScope(now.scopeTags, host) ? now : undefined
}
