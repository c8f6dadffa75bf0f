import type { StackRecord } from '../records/stack.ts'
import { isAhead } from '../time/clock-skew.ts'

type Updated = Pick<StackRecord, 'last' | 'update'>

/** Returns whether the last operation on a stack took newer images, and is not judged yet. */
export const isWatched = ({ last, update }: Updated): boolean =>
  last?.cause === 'update' && update?.deploymentId !== last.deploymentId

/** Returns whether an update of a stack is not judged yet, or is to be taken back. */
export const isOpen = (stack: Updated): boolean =>
  stack.update?.rollback?.state === 'due' || isWatched(stack)

/** Milliseconds until an update is tried again that failed before it changed a container. */
const pause = 3_600_000

/**
 * Returns when the next update of a stack may begin: some time after one that failed. A time ahead
 * was recorded by a clock that was, and says nothing.
 */
export const afterFailure = ({ update }: Updated, now: number): number =>
  update?.outcome === 'failed' && !isAhead(update.at, now) ? update.at + pause : 0
