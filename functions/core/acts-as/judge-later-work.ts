import { type Actor, currentActor } from '../access/actor.ts'
import { inScope, scopePorts } from '../access/scope.ts'
import { Failure } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { ActsAs } from '../records/acts-as.ts'
import type { Permission } from '../records/permissions.ts'
import { otherStack } from './bound-stacks.ts'

export type JudgePorts = Needs<'accounts' | 'hosts' | 'roles' | 'stacks'>

/** A permission that work needs. */
export interface Need {
  /** The part of the work that needs it, as the API calls it. */
  part: string
  permission: Permission
  /** It concerns every host, so an account that is limited to some does not have it. */
  everyHost?: true
}

/** Work that runs later, without a caller. */
export interface LaterWork<P> {
  actsAs: ActsAs | undefined
  /** Missing if it concerns no host. */
  hostId?: string
  needs: readonly Need[]
  /**
   * Checks other rights. `ports` are limited to the scope of the account.
   *
   * @throws 403 if the account lacks one
   */
  check?(actor: Actor, ports: P): Promise<void>
}

/**
 * What work may do now: with the rights of an account, as the service if its author is unknown, or
 * nothing, for a reason.
 */
export type Standing =
  | { kind: 'account'; actor: Actor }
  | { kind: 'unknown-author' }
  | { kind: 'blocked'; reason: string }

/**
 * Decides whether work may run now: its account must exist and have all rights that the work needs,
 * and its stacks must be those that it was saved for. Ask right before each run, and again in a
 * long one.
 *
 * @throws what the store throws: it is unknown then whether the work may run, so it must not
 */
export async function judgeLaterWork<P extends JudgePorts>(
  { actsAs, hostId, needs, check }: LaterWork<P>,
  ports: P,
): Promise<Standing> {
  if (!actsAs) return { kind: 'unknown-author' }
  const { accountId, stacks } = actsAs
  const blocked = (reason: string) => ({ kind: 'blocked' as const, reason })
  const other = await otherStack(stacks, ports)
  if (other) return blocked(other)
  if (accountId === null) return { kind: 'unknown-author' }
  const actor = await currentActor(accountId, ports)
  if (!actor) {
    const isDisabled = (await ports.accounts.find(accountId)) !== undefined
    return blocked(`account ${actsAs.username} ${isDisabled ? 'is disabled' : 'was deleted'}`)
  }
  const lacking = lackOf(needs, actor) ?? (await outOfScope(hostId, actor, ports))
  if (lacking) return blocked(lacking)
  try {
    await check?.(actor, scopePorts(ports, actor))
    return { kind: 'account', actor }
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 403) throw error
    return blocked(`account ${actor.account.username} may no longer do this: ${error.message}`)
  }
}

/** Returns which permission the account lacks, or undefined. */
function lackOf(needs: readonly Need[], { account, permissions, scopeTags }: Actor) {
  for (const { part, permission, everyHost } of needs) {
    const lacks = (what: string) =>
      `account ${account.username} does not have the permission ${what}, which it needs for ${part}`
    if (!permissions.has(permission)) return lacks(permission)
    if (everyHost && scopeTags.length > 0) return lacks(`${permission} on every host`)
  }
  return undefined
}

/** A host that is gone is a failure of the run instead. */
async function outOfScope(
  hostId: string | undefined,
  { account, scopeTags }: Actor,
  { hosts }: Needs<'hosts'>,
): Promise<string | undefined> {
  const host = hostId === undefined ? undefined : await hosts.find(hostId)
  if (!host || inScope(scopeTags, host)) return undefined
  return `host ${host.name} is outside the scope of account ${account.username}`
}
