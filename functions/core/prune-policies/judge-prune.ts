import {
  type JudgePorts,
  judgeLaterWork,
  type Need,
  type Standing,
} from '../acts-as/judge-later-work.ts'
import type { Permission } from '../records/permissions.ts'
import type { PrunedKind, PrunePolicy } from '../records/prune-policy.ts'

/** Returns the permissions that a prune needs, as one by hand does. */
export const neededFor = (what: PrunedKind): Permission[] =>
  what === 'nameless' ? ['images:delete'] : ['images:delete', 'stacks:privileged']

/**
 * Decides whether the policy of a host may remove images now, and with whose rights. Ask right
 * before each run. Nothing is removed as the service.
 *
 * @throws what the store throws: it is unknown then whether a run may begin, so it must not
 */
export async function judgePrune(
  { id, what, actsAs }: Pick<PrunePolicy, 'id' | 'what' | 'actsAs'>,
  ports: JudgePorts,
): Promise<Exclude<Standing, { kind: 'unknown-author' }>> {
  const needs = neededFor(what).map((permission): Need => ({ part: 'prunes', permission }))
  const standing = await judgeLaterWork({ actsAs, hostId: id, needs }, ports)
  if (standing.kind !== 'unknown-author') return standing
  return { kind: 'blocked', reason: 'the prune policy has no account: save it again' }
}

/** Returns why a policy may remove nothing, or null. */
export async function whyPruneBlocked(
  policy: Pick<PrunePolicy, 'id' | 'what' | 'actsAs'>,
  ports: JudgePorts,
): Promise<string | null> {
  const standing = await judgePrune(policy, ports)
  return standing.kind === 'blocked' ? standing.reason : null
}
