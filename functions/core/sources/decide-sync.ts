import type { StackRecord } from '../records/stack.ts'
import type { StackSource } from '../records/stack-source.ts'

/** What a sync of a stack does. */
export type SyncDecision =
  /** The source has nothing new for it. */
  | 'nothing'
  /** Says that something waits to be taken. */
  | 'notify'
  /** Makes the files the newest revision. */
  | 'revision'
  /** Makes them the newest revision and deploys it. */
  | 'deploy'

/**
 * Decides what a sync does once the IDs are known. What was taken before is not taken again by
 * itself: after a rollback, nothing follows until the source has something else. A file that was
 * deleted here is taken otherwise, but nothing is deployed for it: who may change files may not
 * deploy by that. A stack that is not deployed stays so.
 *
 * @param treeId the ID of what the source has for the stack now
 */
export function decideSync(
  {
    synced,
    onChange,
    askedAt,
    hookAskedAt = null,
    isFreed,
  }: Pick<StackSource, 'askedAt' | 'hookAskedAt' | 'isFreed' | 'onChange' | 'synced'>,
  treeId: string,
  { deployed, last }: Pick<StackRecord, 'deployed' | 'last'>,
): SyncDecision {
  const isAsked = askedAt !== null
  if (!isAsked && synced?.treeId === treeId) {
    return isFreed && !last?.isRolledBack ? 'revision' : 'nothing'
  }
  // The hook of the stack deploys it, as another account.
  if (!isAsked && hookAskedAt !== null) return 'revision'
  if (!isAsked && onChange === 'notify') return 'notify'
  return onChange === 'deploy' && deployed ? 'deploy' : 'revision'
}

/**
 * Returns whether another folder than that of the files has something else than when they were
 * last taken. The stack is deployed then, also with equal files.
 *
 * @param treeId as of `decideSync`
 */
export function isOtherAlso(synced: StackSource['synced'], treeId: string): boolean {
  if (!synced?.treeId) return false
  const [before, now] = [synced.treeId, treeId].map((one) => one.split(' ').slice(1).join(' '))
  return before !== now
}

const minute = 60_000
const hour = 60 * minute

/** Returns when a sync is tried again after so many failures in a row. Milliseconds. */
export const retryAt = (failures: number, now: number): number =>
  now + Math.min(minute * 2 ** Math.min(failures - 1, 10), hour)

/**
 * Returns whether a stack needs a sync or a deployment now.
 *
 * @param revision what its source has; undefined if the source is gone, null if it is not known
 */
export function isSyncDue(
  source: StackSource,
  revision: string | null | undefined,
  now: number,
): boolean {
  if (isPaused(source, now, revision)) return false
  const { deploys, comparedRevision } = source
  if (isAskedFor(source) || deploys !== null || revision === undefined) return true
  return revision !== null && revision !== comparedRevision
}

/** Returns whether a user or the hook of the stack asks for a sync. */
export const isAskedFor = ({
  askedAt,
  hookAskedAt = null,
}: Pick<StackSource, 'askedAt' | 'hookAskedAt'>): boolean =>
  askedAt !== null || hookAskedAt !== null

/**
 * Returns whether a stack waits after a failure: not once its source has something else. A time too
 * far ahead was planned by a clock that was ahead.
 *
 * @param revision as of `isSyncDue`
 */
export function isPaused(
  { problem }: Pick<StackSource, 'problem'>,
  now: number,
  revision: string | null | undefined,
): boolean {
  if (problem === null || (revision && revision !== problem.revision)) return false
  return problem.nextAt > now && problem.nextAt <= now + hour
}
