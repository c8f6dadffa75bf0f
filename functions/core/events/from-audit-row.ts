import type { ServiceEvent } from '../ports/service-events.ts'
import type { AuditRow, AuditSubject } from '../records/audit-row.ts'
import { auditEventKind, singular } from '../records/event-kinds.ts'
import { permissionFor } from './service-event.ts'

/**
 * Returns the event of an audit row, or undefined for the beginning of a change: the row of its end
 * has more to say.
 */
export function fromAuditRow(row: AuditRow): ServiceEvent | undefined {
  if (row.outcome === 'begun' || (row.continues !== undefined && !isUpgrade(row))) return undefined
  // A read changes nothing, and clients would read again at its event.
  if (row.outcome === 'succeeded' && row.action.endsWith('.read')) return undefined
  const { subject, outcome, status, count } = row
  const kind = auditEventKind(row.action)
  const isOfWork = row.actor === 'service' || row.continues !== undefined
  const own = isOfWork ? shown(row.values) : {}
  // Addresses of users are for readers of the audit log.
  const isForAuditors = permissionFor(kind) === 'audit:read'
  return {
    id: `${row.id}-${outcome}`,
    time: new Date(row.at).toISOString(),
    source: 'service',
    kind,
    subject: subject && { kind: singular(subject.kind), id: subject.id, name: nameOf(subject) },
    by: row.username,
    details: {
      outcome,
      status,
      ...(count > 1 && { count }),
      ...(isForAuditors && row.ip && { ip: row.ip }),
      ...own,
    },
    hosts: row.hosts,
    userId: row.userId,
  }
}

/** A deployment reports its own end, and other work in the background none. */
const isUpgrade = ({ action }: AuditRow) => action === 'service.upgrade'

/** Returns the values of a row that the service wrote about its own work. */
const shown = (values: AuditRow['values']): ServiceEvent['details'] =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? value.join(', ') : value,
    ]),
  )

/** The ID of a stack is its name. */
const nameOf = ({ kind, id, name }: AuditSubject) => name ?? (kind === 'stacks' ? id : null)
