import { conflict } from '../errors.ts'
import type { StackRecord } from '../records/stack.ts'

/**
 * Refuses a request about a stack that was deleted and created again since it was read: revisions
 * of the new one begin with 1 too.
 *
 * @param read the stack as the request read it
 * @throws 409 if `stack` is another one of that name
 */
export function refuseReplaced(
  { id, createdAt }: Pick<StackRecord, 'id' | 'createdAt'>,
  read: Pick<StackRecord, 'createdAt'>,
): void {
  if (createdAt === read.createdAt) return
  throw conflict(
    `stack ${id}: it was deleted and created again in the meantime: look at the new one first`,
    { reason: 'stale-revision' },
  )
}
