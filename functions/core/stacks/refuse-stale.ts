import { conflict } from '../errors.ts'
import type { StackRecord } from '../records/stack.ts'

/**
 * Refuses a request about files that were changed since its caller read them.
 *
 * @param revision the one that the caller read; undefined for any
 * @throws 409 that names both revisions
 */
export function refuseStale(
  { id, contentRevision: current }: Pick<StackRecord, 'id' | 'contentRevision'>,
  revision: number | undefined,
): void {
  if (revision === undefined || revision === current) return
  throw conflict(
    `stack ${id}: its files were changed since revision ${revision}; the current revision is ${current}: look at that one first`,
    { reason: 'stale-revision' },
  )
}
