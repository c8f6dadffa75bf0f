import { Failure, type FailureStatus, failureReason, publicMessage } from '../errors.ts'
import { SourceFailure } from '../ports/source-reader.ts'
import { type SyncProblem, toldToAll } from '../records/stack-source.ts'
import { retryAt } from './decide-sync.ts'
import { reportSync } from './report-sync.ts'
import { type BoundStack, changeBinding } from './stack-source-record.ts'
import type { SyncPorts } from './sync-ports.ts'

/** Why a sync failed. */
export type SyncFailure = Pick<SyncProblem, 'isUnread' | 'message' | 'reason' | 'revision'>

/** Returns why a sync of a revision failed. */
export const failureOf = (error: unknown, revision: string | null): SyncFailure => ({
  reason: reasonOf(error),
  message: publicMessage(error, 'the service failed: its log has the cause'),
  ...(isOfReading(error) && { isUnread: true as const }),
  revision,
})

/** A response has a status, which says this much where a failure gives no reason. */
const reasonsOfStatus: Readonly<Partial<Record<FailureStatus, string>>> = {
  400: 'malformed',
  403: 'policy',
}

function reasonOf(error: unknown): string {
  if (error instanceof SourceFailure) return error.problem
  const isNamed = !(error instanceof Failure) || error.reason !== undefined
  return (isNamed ? undefined : reasonsOfStatus[error.status]) ?? failureReason(error)
}

/** Returns whether only those who manage sources see why, and not all who see the stack. */
const isOfReading = (error: unknown) =>
  error instanceof SourceFailure && error.problem !== 'not-decrypted'

/**
 * Records why a sync failed and when it is tried again, also if the source has nothing new then.
 * What a user asked for, and a deployment that waits, go on waiting. The audit log gets a row if it
 * is another failure than the last one.
 */
export async function recordFailure(
  stack: BoundStack,
  { reason, message, isUnread, revision }: SyncFailure,
  ports: SyncPorts,
): Promise<void> {
  let isNew = false
  const saved = await changeBinding(
    stack,
    ({ source: { deploys, problem } }) => {
      isNew = problem?.message !== message
      const failures = (problem?.failures ?? 0) + 1
      const nextAt = retryAt(failures, ports.clock.now())
      return {
        // A deployment that waits is tried again without another comparison.
        ...(deploys === null && { comparedRevision: null }),
        // The hook records it too, and asks again when it is called again.
        hookAskedAt: null,
        problem: { reason, message, isUnread, revision, failures, nextAt },
      }
    },
    ports,
  )
  if (!saved || !isNew) return
  const action = reason === 'blocked' ? 'stacks.source.block' : 'stacks.source.fail'
  await reportSync(saved, { action, error: toldToAll({ message, isUnread }) }, undefined, ports)
}
