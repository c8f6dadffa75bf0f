import type { StackRecord } from '../records/stack.ts'
import { isAhead } from '../time/clock-skew.ts'

type Updated = Pick<StackRecord, 'openUpdate' | 'update'>

/** Returns whether an update of a service is deployed or watched, and not judged yet. */
export const isWatched = ({ openUpdate, update }: Updated, service: string): boolean =>
  openUpdate !== undefined &&
  update?.rollback?.state !== 'due' &&
  openUpdate.services.includes(service)

/** Milliseconds until an update is tried again that was not good. */
const retryDelay = 3_600_000

/** Returns when the next update of a stack may begin: some time after one that was not good. */
export function notBefore({ update }: Updated, now: number): number {
  if (!update || update.outcome === 'good') return 0
  const at = update.at + retryDelay
  // A time in the future was recorded by a wrong clock, and is ignored.
  return isAhead(at, now + retryDelay) ? 0 : at
}
