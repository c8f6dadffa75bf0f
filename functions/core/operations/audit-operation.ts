import { appendEnd } from '../audit/append-end.ts'
import { logFailure } from '../log-failure.ts'
import type { Needs } from '../ports/ports.ts'
import type { AuditRow } from '../records/audit-row.ts'
import type { Operation } from '../records/operation.ts'

/**
 * Writes the audit row of the end of an operation, exactly once: the operation stays marked until
 * the row is written. Call it under the lease of the operation, after the operation was saved.
 * Never throws: `recoverOperations` repeats what failed.
 */
export async function auditOperation(
  operation: Operation,
  ports: Needs<'audit' | 'clock' | 'log' | 'operations'>,
): Promise<void> {
  const { unaudited, ...rest } = operation
  if (!unaudited) return
  try {
    await appendEnd(endOf(rest), unaudited, ports)
    await ports.operations.save(rest)
  } catch (error) {
    const fields = { operation: operation.id, error }
    logFailure(ports.log, 'the end of an operation is not in the audit log yet', fields)
  }
}

function endOf(operation: Omit<Operation, 'unaudited'>) {
  const { id, kind, subject, hostId, status, startedAt } = operation
  return {
    id,
    startedAt,
    hostId,
    outcome: status === 'succeeded' ? ('succeeded' as const) : ('failed' as const),
    subject: {
      kind: auditKinds[subject.kind],
      id: subject.id.slice(0, 128),
      name: subject.name.slice(0, 128),
    },
    values: { operation_id: id, kind, operation_status: status, ...ofUpgrade(operation) },
  }
}

/** Returns both versions of an upgrade of the service, and why it failed. */
function ofUpgrade({ kind, error, result }: Omit<Operation, 'unaudited'>): AuditRow['values'] {
  if (kind !== 'service_upgrade') return {}
  const named = ['from_version', 'to_version', 'image', 'outcome'].flatMap((name) => {
    const value = result?.[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return { ...Object.fromEntries(named), ...(error !== null && { error }) }
}

/** The audit log names kinds as paths do. */
const auditKinds = {
  image: 'images',
  host: 'hosts',
  stack: 'stacks',
  backup_run: 'backup-runs',
  service: 'service',
} as const satisfies Record<Operation['subject']['kind'], string>
