import type { Source } from '../records/source.ts'
import type { StackSource } from '../records/stack-source.ts'
import { isSeenSince, lookForHook } from './look-at-source.ts'
import { type BoundStack, changeBinding, isBound } from './stack-source-record.ts'
import type { SyncPorts } from './sync-ports.ts'
import { syncSource } from './sync-stacks.ts'

/** How taking what a source has now went. */
export type Taking =
  /** The stack has it, or says why it cannot have it. */
  | 'taken'
  /** The source cannot be read. */
  | 'unread'
  /** Another process looks or syncs, or the source was just looked at: try again soon. */
  | 'later'

/** Whether what a source has was compared already, such as while the stack was busy before. */
const hasAllOf = (
  { look }: Pick<Source, 'look'>,
  { comparedRevision, waiting, isFreed, problem }: StackSource,
): boolean => look.revision === comparedRevision && waiting === null && !isFreed && problem === null

/**
 * Makes what a source has now the newest revision of a stack that follows it, whatever follows a
 * change by itself, as the account that bound it. Nothing is deployed. What was taken before is not
 * taken again, so that a rollback lasts.
 *
 * @param since milliseconds since the epoch: a look that began later is new enough
 * @throws what the store throws
 */
export async function takeNewest(
  bound: BoundStack,
  since: number,
  ports: SyncPorts,
  signal: AbortSignal,
): Promise<Taking> {
  const { source: name, sourceCreatedAt } = bound.source
  const found = await ports.sources.find(name)
  // Syncs say that a source is gone.
  if (found?.createdAt === sourceCreatedAt) {
    const isNewEnough = isSeenSince(found, since)
    const seen = isNewEnough ? found : await lookForHook(name, ports, signal)
    if (!seen) return 'later'
    if (seen.look.problem) return 'unread'
    if (hasAllOf(seen, bound.source)) return 'taken'
  }
  await changeBinding(bound, () => ({ hookAskedAt: since, problem: null }), ports)
  await syncSource(name, ports, signal)
  const now = await ports.stacks.find(bound.id)
  const isSame = now && isBound(now) && now.source.boundAt === bound.source.boundAt
  return isSame && (now.source.hookAskedAt ?? null) !== null ? 'later' : 'taken'
}
