import { recoveryHolderOf } from '../leases/acquire-with-retry.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import { logFailure } from '../log-failure.ts'
import type { Needs } from '../ports/ports.ts'
import { type Operation, operationLease } from '../records/operation.ts'
import { isReplacing } from '../records/upgrade-progress.ts'
import { auditOperation } from './audit-operation.ts'
import { endOfUpgrade } from './end-of-upgrade.ts'

export type OperationRecoveryPorts = Needs<
  | 'audit'
  | 'background'
  | 'clock'
  | 'leases'
  | 'log'
  | 'operations'
  | 'reminders'
  | 'serviceUpgrades'
>

/**
 * Finds operations whose process died, by their expired lease, and marks each as interrupted. An
 * upgrade of the service outlives its process, and ends as its journal says. Also
 * writes the missing audit rows of those whose process died before it wrote them. What fails is
 * logged, and the next call tries it again.
 */
export async function recoverOperations(ports: OperationRecoveryPorts): Promise<void> {
  const open = await ports.operations.listOpen()
  const recoverOrLog = ({ id }: { id: string }) =>
    recoverOperation(id, ports).catch((error) => {
      if (!ports.reminders.isDue(`recover ${id}`)) return
      logFailure(ports.log, 'an operation could not be recovered yet', { operation: id, error })
    })
  await Promise.all(open.map(recoverOrLog))
}

async function recoverOperation(id: string, ports: OperationRecoveryPorts): Promise<void> {
  const { background, leases, operations } = ports
  const name = operationLease(id)
  if ((await leases.peek(name)).held) return
  const lease = await leases.acquire(name, recoveryHolderOf(background.processId, id), leaseTime)
  if (!lease) return
  await withLeaseRenewal(lease, new AbortController().signal, ports, async ({ fence }) => {
    const found = await operations.find(id)
    if (!found) return
    const ended = found.status === 'running' ? await endOf(found, ports) : found
    if (!ended) return
    const taken = { ...ended, fence }
    if (await operations.save(taken)) await auditOperation(taken, ports)
  })
}

/** Returns an operation as it has ended; undefined while it goes on without a process. */
async function endOf(
  operation: Operation,
  ports: OperationRecoveryPorts,
): Promise<Operation | undefined> {
  if (!isReplacing(operation)) return interrupted(operation, ports)
  const journal = await ports.serviceUpgrades.last()
  const now = ports.clock.now()
  if (journal?.id !== operation.id) {
    return isRecent(operation, now) ? undefined : interrupted(operation, ports)
  }
  return journal.outcome === 'open' ? undefined : endOfUpgrade(operation, journal, now)
}

/** The journal of a recent upgrade may be on another machine. */
const isRecent = ({ result }: Operation, now: number) =>
  Math.abs(now - Date.parse(String(result?.since))) < 15 * 60_000

function interrupted(operation: Operation, { clock, log }: OperationRecoveryPorts): Operation {
  log.warn('an operation was interrupted: its process ended', { operation: operation.id })
  return {
    ...operation,
    status: 'interrupted',
    error: 'the service ended while this was running',
    finishedAt: clock.now(),
  }
}
