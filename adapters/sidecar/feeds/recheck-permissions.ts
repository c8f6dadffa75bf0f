import type { CallerPorts } from '../../../functions/core/access/caller.ts'
import type { Required } from '../../../functions/core/access/grant.ts'
import { recheck } from '../../../functions/core/access/recheck.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { logFailure } from '../../../functions/core/log-failure.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import type { Caller, Credential } from '../../../functions/core/records/account.ts'
import { ends, type FeedEnd } from '../../../functions/kit/feed-end.ts'

/** The ports for looking up permissions. */
export type PermissionPorts = CallerPorts & Needs<'hosts'>

/** Something that runs on behalf of a caller. */
export interface OpenWork {
  readonly caller: Caller
  readonly access: Required
  readonly hosts: ReadonlySet<string>
  /** Consecutive checks that failed. */
  failedChecks: number
  end(end: FeedEnd): void
}

/**
 * Ends what its caller is no longer permitted to use, checking every `every` milliseconds. Returns
 * a function that stops the checks.
 */
export function recheckPermissions(
  open: ReadonlySet<OpenWork>,
  every: number,
  ports: PermissionPorts,
  log: Log,
): () => void {
  let isChecking = false
  const timer = setInterval(() => {
    if (isChecking || open.size === 0) return
    isChecking = true
    void recheckEach(open, ports)
      .catch((error) => logFailure(log, 'permissions could not be checked', { error }))
      .finally(() => {
        isChecking = false
      })
  }, every)
  timer.unref()
  return () => clearInterval(timer)
}

/** Entries with the same credential, permission and hosts. */
type Alike = [OpenWork, ...OpenWork[]]

/** Checks each combination of credential, permission and hosts once. */
async function recheckEach(open: ReadonlySet<OpenWork>, ports: PermissionPorts): Promise<void> {
  const alike = new Map<string, Alike>()
  for (const one of open) {
    const key = `${idOf(one.caller.credential)} ${one.access} ${[...one.hosts].join()} ${one.caller.scopeTags}`
    const group = alike.get(key)
    if (group) group.push(one)
    else alike.set(key, [one])
  }
  await Promise.all([...alike.values()].map((group) => recheckGroup(group, ports)))
}

const idOf = (credential: Credential) =>
  credential.kind === 'session' ? credential.sessionId : credential.hash

async function recheckGroup(group: Alike, ports: PermissionPorts): Promise<void> {
  try {
    const isPermitted = await isStillPermitted(group[0], ports)
    for (const one of group) {
      one.failedChecks = 0
      if (!isPermitted) one.end(ends.withdrawn)
    }
  } catch (error) {
    ignoreError('check the rights of a feed again')(error)
    for (const one of group) {
      one.failedChecks += 1
      if (one.failedChecks > 1) one.end(ends.unsure)
    }
  }
}

/**
 * Returns whether the caller is still permitted. A feed of no particular host is filtered by the
 * caller's scope, so a changed scope ends it.
 */
async function isStillPermitted(
  { caller, access, hosts }: OpenWork,
  ports: PermissionPorts,
): Promise<boolean> {
  if (hosts.size === 0) {
    const now = await recheck(caller, { access }, ports)
    return now !== undefined && `${now.scopeTags}` === `${caller.scopeTags}`
  }
  for (const hostId of hosts) {
    if (!(await recheck(caller, { access, hostId }, ports))) return false
  }
  return true
}
