import type { Caller, Credential } from '../../../functions/core/access/account.ts'
import type { CallerPorts } from '../../../functions/core/access/caller.ts'
import type { Required } from '../../../functions/core/access/grant.ts'
import { recheck } from '../../../functions/core/access/recheck.ts'
import type { Needs } from '../../../functions/core/ports.ts'
import type { Log } from '../../../functions/core/runtime.ts'
import { ends, type FeedEnd } from '../../../functions/kit/feed-end.ts'

/** The ports for looking up permissions. */
export type RightsPorts = CallerPorts & Needs<'hosts'>

/** Something that runs on behalf of a caller. */
export interface Watched {
  readonly caller: Caller
  readonly access: Required
  readonly hosts: ReadonlySet<string>
  /** Consecutive checks that failed. */
  doubts: number
  end(end: FeedEnd): void
}

/**
 * Ends what its caller is no longer permitted to use, checking every `every` milliseconds. Returns
 * a function that stops the checks.
 */
export function recheckAll(
  open: ReadonlySet<Watched>,
  every: number,
  ports: RightsPorts,
  log: Log,
): () => void {
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking || open.size === 0) return
    isLooking = true
    void lookAt(open, ports)
      .catch((error) => log.error('rights could not be looked at', { error }))
      .finally(() => {
        isLooking = false
      })
  }, every)
  timer.unref()
  return () => clearInterval(timer)
}

/** Checks each combination of credential, permission and hosts once. */
async function lookAt(open: ReadonlySet<Watched>, ports: RightsPorts): Promise<void> {
  const alike = new Map<string, Watched[]>()
  for (const one of open) {
    const key = `${idOf(one.caller.credential)} ${one.access} ${[...one.hosts].join()} ${one.caller.scopeTags}`
    const group = alike.get(key)
    if (group) group.push(one)
    else alike.set(key, [one])
  }
  await Promise.all([...alike.values()].map((group) => lookAtGroup(group, ports)))
}

const idOf = (credential: Credential) =>
  credential.kind === 'session' ? credential.sessionId : credential.hash

async function lookAtGroup(group: Watched[], ports: RightsPorts): Promise<void> {
  try {
    const isGood = await stillMay(group[0]!, ports)
    for (const one of group) {
      one.doubts = 0
      if (!isGood) one.end(ends.withdrawn)
    }
  } catch {
    for (const one of group) {
      one.doubts += 1
      if (one.doubts > 1) one.end(ends.unsure)
    }
  }
}

/**
 * Returns whether the caller is still permitted. A feed of no particular host is filtered by the
 * caller's scope, so a changed scope ends it.
 */
async function stillMay({ caller, access, hosts }: Watched, ports: RightsPorts): Promise<boolean> {
  if (hosts.size === 0) {
    const now = await recheck(caller, { access }, ports)
    return now !== undefined && `${now.scopeTags}` === `${caller.scopeTags}`
  }
  for (const hostId of hosts) {
    if (!(await recheck(caller, { access, hostId }, ports))) return false
  }
  return true
}
