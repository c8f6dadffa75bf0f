import type { CallerPorts } from '../../../functions/core/access/caller.ts'
import type { Required } from '../../../functions/core/access/grant.ts'
import { recheck } from '../../../functions/core/access/recheck.ts'
import { Failure } from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { logFailure } from '../../../functions/core/log-failure.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import type { Caller, Credential } from '../../../functions/core/records/account.ts'
import { ends, type FeedEnd, unsure } from '../../../functions/kit/feed-end.ts'
import type { FeedCheck } from '../../../functions/kit/feed-facts.ts'

/** The ports for looking up permissions. */
export type PermissionPorts = CallerPorts & Needs<'hosts'>

/** Something that runs on behalf of a caller. */
export interface OpenWork {
  readonly caller: Caller
  readonly access: Required
  readonly hosts: ReadonlySet<string>
  /** What it needs besides `access`. */
  readonly needs?: FeedCheck | undefined
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
  const now = await currentRights(group[0], ports).catch((error) => {
    for (const one of group) countFailure(one, error)
    return 'unknown' as const
  })
  if (now === 'unknown') return
  await Promise.all(group.map((one) => recheckOne(one, now)))
}

async function recheckOne(one: OpenWork, now: Caller | undefined): Promise<void> {
  if (!now) return one.end(ends.withdrawn)
  try {
    await one.needs?.(now)
    one.failedChecks = 0
  } catch (error) {
    if (error instanceof Failure && error.status === 403) one.end(ends.withdrawn)
    else countFailure(one, error)
  }
}

function countFailure(one: OpenWork, error: unknown): void {
  ignoreError('check the rights of a feed again')(error)
  one.failedChecks += 1
  if (one.failedChecks > 1) one.end(unsure(error))
}

/**
 * Returns the caller with the rights of now, or undefined if they are no longer permitted. A feed
 * of no particular host is filtered by the caller's scope, so a changed scope ends it.
 */
async function currentRights(
  { caller, access, hosts }: OpenWork,
  ports: PermissionPorts,
): Promise<Caller | undefined> {
  if (hosts.size === 0) {
    const now = await recheck(caller, { access }, ports)
    return now && `${now.scopeTags}` === `${caller.scopeTags}` ? now : undefined
  }
  let now: Caller | undefined
  for (const hostId of hosts) {
    now = await recheck(caller, { access, hostId }, ports)
    if (!now) return undefined
  }
  return now
}
