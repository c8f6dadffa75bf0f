import { Failure, failureReason, internalError, publicMessage } from '../errors.ts'
import { holderOf } from '../leases/acquire-with-retry.ts'
import { type HeldLease, LostLease, leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import { watchCancel } from '../leases/watch-cancel.ts'
import { logFailure } from '../log-failure.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import { type Operation, operationLease } from '../records/operation.ts'
import { retryTransient } from '../time/retry-transient.ts'
import { auditOperation } from './audit-operation.ts'
import { boundResult } from './bound-result.ts'

export type OperationPorts = Needs<
  'audit' | 'background' | 'callerLimiter' | 'clock' | 'leases' | 'log' | 'operations' | 'random'
>

/** What the record of an operation says from its start. */
export type OperationRequest = Pick<
  Operation,
  'kind' | 'subject' | 'hostId' | 'hostName' | 'readers' | 'unaudited'
>

type Result = Readonly<Record<string, unknown>>

/** An operation while its work is done. */
export interface RunningOperation {
  id: string
  /**
   * Stores how far the work is, as its result until it ends.
   *
   * @throws LostLease if another process took the operation over
   */
  report(progress: Result): Promise<void>
  /**
   * Ends the time in which the operation can be cancelled: each request to cancel it either came
   * before and has its effect, or is refused.
   *
   * @throws 409 if a user has cancelled it
   */
  commit(): Promise<void>
}

/**
 * Long work. It returns the response that its request would have had if it had waited, or undefined
 * if the operation goes on elsewhere: `recoverOperations` then ends it.
 */
export type LongWork = (
  signal: AbortSignal,
  operation: RunningOperation,
) => Promise<Result | undefined>

/** Records the operation as running, does its work and records how that ended. */
type Execute = (work: LongWork, signal: AbortSignal) => Promise<void>

type End = Pick<Operation, 'status' | 'error' | 'reason' | 'result' | 'isResultCut'>

/** The time for writing the audit row of the end. Milliseconds. */
const auditTime = 5_000

/**
 * Starts work in the background, and returns its record as soon as that is stored. `prepare`
 * acquires what the work needs, such as a lock, and calls `execute` once nothing can refuse the
 * work any more. Its signal is aborted when the service shuts down.
 *
 * @throws what `prepare` throws before it calls `execute`: nothing is recorded then
 * @throws 500 if too many operations are under way
 */
export function startOperation(
  request: OperationRequest,
  { account }: Pick<Caller, 'account'>,
  ports: OperationPorts,
  prepare: (execute: Execute, signal: AbortSignal) => Promise<void>,
): Promise<Operation> {
  const leave = ports.callerLimiter.startInBackground(account.id)
  return new Promise<Operation>((resolve, reject) => {
    ports.background.run(`${request.kind} ${request.subject.name}`, async (stopping) => {
      const id = ports.random.id()
      let isRecorded = false
      const execute: Execute = async (work, signal) => {
        const holder = holderOf(ports.background.processId, id)
        const lease = await ports.leases.acquire(operationLease(id), holder, leaseTime)
        if (!lease) throw internalError('the lease of the operation could not be acquired')
        await withLeaseRenewal(lease, signal, ports, async (held) => {
          const operation = startedOperation(request, id, account.username, held, ports)
          await ports.operations.create(operation)
          isRecorded = true
          resolve(operation)
          const end = await endOfWork(operation, work, held, ports)
          if (end) await recordEnd(operation, end, held, ports)
        })
      }
      try {
        await prepare(execute, stopping)
      } catch (error) {
        if (!isRecorded) return reject(error)
        const fields = { operation: id, error }
        logFailure(ports.log, 'an operation is left to recovery', fields)
      } finally {
        leave()
      }
    })
  })
}

const startedOperation = (
  request: OperationRequest,
  id: string,
  by: string,
  { fence }: HeldLease,
  { clock }: OperationPorts,
): Operation => ({
  ...request,
  id,
  by,
  status: 'running',
  error: null,
  reason: null,
  startedAt: clock.now(),
  finishedAt: null,
  result: null,
  isResultCut: false,
  fence,
})

/** Does the work until a user cancels it, the service shuts down or the lease is lost. */
async function endOfWork(
  operation: Operation,
  work: LongWork,
  held: HeldLease,
  ports: OperationPorts,
): Promise<End | undefined> {
  const { id, kind } = operation
  const cancel = watchCancel(() => ports.operations.findCancelRequest(id), ports)
  const signal = AbortSignal.any([held.signal, cancel.signal])
  try {
    const result = await work(signal, {
      id,
      report: (result) => report(operation, result, ports),
      commit: () => cancel.commit(() => ports.operations.closeToCancel(id, ports.clock.now())),
    })
    if (!result) return undefined
    return { status: 'succeeded', error: null, reason: null, ...boundResult(result) }
  } catch (error) {
    if (!signal.aborted && !(error instanceof Failure)) {
      logFailure(ports.log, 'an operation failed', { operation: id, kind, error })
    }
    return { ...failureOf(error, held.signal, cancel.signal), result: null, isResultCut: false }
  } finally {
    await cancel.stop()
  }
}

async function report(
  operation: Operation,
  result: Result,
  { operations }: Needs<'operations'>,
): Promise<void> {
  if (!(await operations.save({ ...operation, result }))) throw new LostLease()
}

function failureOf(error: unknown, ending: AbortSignal, cancelled: AbortSignal) {
  if (cancelled.aborted) {
    const text = publicMessage(cancelled.reason, 'cancelled')
    return { status: 'interrupted', error: text, reason: 'conflict' } as const
  }
  if (ending.aborted) {
    const text = 'the service was stopped while this was running'
    return { status: 'interrupted', error: text, reason: 'overloaded' } as const
  }
  const text = publicMessage(error, 'the service failed to complete it')
  return { status: 'failed', error: text, reason: failureReason(error) } as const
}

/** Records how an operation ended. Another process that took it over has recorded that already. */
async function recordEnd(
  operation: Operation,
  end: End,
  held: HeldLease,
  ports: OperationPorts,
): Promise<void> {
  const { id } = operation
  const ended = { ...operation, ...end, finishedAt: ports.clock.now() }
  const onRefusal = (error: unknown) =>
    logFailure(ports.log, 'the end of an operation could not be stored yet', {
      operation: id,
      error,
    })
  const { signal } = held
  const save = () => ports.operations.save(ended)
  if (!(await retryTransient(save, { signal, onRefusal }, ports))) return
  await held.ensure(auditTime)
  await auditOperation(ended, ports)
}
