import { recoveryHolderOf } from '../leases/acquire-with-retry.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import { logFailure } from '../log-failure.ts'
import type { Needs } from '../ports/ports.ts'
import { type Operation, operationLease } from '../records/operation.ts'
import { auditOperation } from './audit-operation.ts'

export type OperationRecoveryPorts = Needs<
  'audit' | 'background' | 'clock' | 'leases' | 'log' | 'operations' | 'reminders'
>

/**
 * Finds operations whose process died, by their expired lease, and marks each as interrupted. Also
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
    const ended = found.status === 'running' ? interrupted(found, ports) : found
    const taken = { ...ended, fence }
    if (await operations.save(taken)) await auditOperation(taken, ports)
  })
}

function interrupted(operation: Operation, { clock, log }: OperationRecoveryPorts): Operation {
  log.warn('an operation was interrupted: its process ended', { operation: operation.id })
  return {
    ...operation,
    status: 'interrupted',
    error: 'the service ended while this was running',
    finishedAt: clock.now(),
  }
}
