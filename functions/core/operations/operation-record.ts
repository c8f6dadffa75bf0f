import { conflict, forbidden, notFound } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Operation, OperationHead, OperationKind } from '../records/operation.ts'
import { isReplacing } from '../records/upgrade-progress.ts'

/**
 * Returns whether the caller may read an operation: with the rights that starting it takes, as the
 * caller has them now. The port already leaves out hosts outside the caller's scope.
 */
export const mayReadOperation = (operation: OperationHead, caller: Caller): boolean =>
  missingRights(operation, caller).length === 0

/**
 * Returns the operation with this ID.
 *
 * @throws 404 if it does not exist
 * @throws 403 if the caller may not read it
 */
export async function getOperation(
  id: string,
  caller: Caller,
  { operations }: Needs<'operations'>,
): Promise<Operation> {
  const operation = await operations.find(id)
  if (!operation) throw notFound(`operation ${id}: there is no such operation`)
  const missing = missingRights(operation, caller)
  if (missing.length > 0) throw forbidden(`operation ${id}: it needs ${missing.join(' and ')}`)
  return operation
}

function missingRights(
  { readers }: Pick<Operation, 'readers'>,
  { permissions, scopeTags }: Caller,
): string[] {
  const isLimited = readers.everyHost && scopeTags.length > 0
  return [
    ...readers.permissions.filter((permission) => !permissions.has(permission)),
    ...(isLimited ? ['a credential that is not limited to some hosts'] : []),
  ]
}

/** The kinds that can be cancelled: the others change a registry or a host in one step. */
const cancellable: ReadonlySet<OperationKind> = new Set<OperationKind>([
  'image_pull',
  'backup_verify',
  'service_pause',
  'service_upgrade',
])

/**
 * Requests the cancellation of an operation: the process that runs it ends it within about a
 * second. Returns the operation as it is now.
 *
 * @throws 404 and 403 as `getOperation`; 409 if it has ended or cannot be cancelled
 */
export async function cancelOperation(
  id: string,
  caller: Caller,
  ports: Needs<'clock' | 'operations'>,
): Promise<Operation> {
  const operation = requireRunning(await getOperation(id, caller, ports))
  if (!cancellable.has(operation.kind)) {
    throw conflict(
      `operation ${id}: an operation of the kind ${operation.kind} cannot be cancelled`,
      {
        reason: 'conflict',
      },
    )
  }
  if (isReplacing(operation)) throw tooLate(operation)
  const request = { by: caller.account.username, at: ports.clock.now() }
  if (!(await ports.operations.requestCancel(id, request))) throw tooLate(operation)
  // It may have ended meanwhile: as `interrupted`, which a cancel makes of it, or otherwise.
  const now = await getOperation(id, caller, ports)
  if (now.status === 'interrupted') return now
  return requireRunning(now)
}

const tooLate = ({ id }: Operation) =>
  conflict(
    `operation ${id}: the container of the service is being replaced, which cannot be cancelled; GET /service/upgrade says how it ends`,
    { reason: 'conflict' },
  )

function requireRunning(operation: Operation): Operation {
  const { id, status, kind } = operation
  if (status === 'running') return operation
  throw conflict(`operation ${id}: the ${kind} has ended (${status}) and cannot be cancelled`, {
    reason: 'conflict',
  })
}
