import type { AuditRow } from '../audit/row.ts'
import type { Happening } from './happening.ts'

/**
 * Returns the event of an audit row, or undefined for the beginning of a change: the row of its end
 * has more to say.
 */
export function happeningOf(row: AuditRow): Happening | undefined {
  if (row.outcome === 'begun') return undefined
  const [resource = '', ...rest] = row.action.split('.')
  const { subject, outcome, status, count } = row
  const own = row.actor === 'service' ? shown(row.values) : {}
  return {
    id: `${row.id}-${outcome}`,
    time: new Date(row.at).toISOString(),
    source: 'service',
    kind: [singular(resource), ...rest].join('.'),
    subject: subject && { kind: singular(subject.kind), id: subject.id, name: nameOf(subject) },
    by: row.username,
    details: {
      outcome,
      status,
      ...(count > 1 && { count }),
      ...(row.ip && { ip: row.ip }),
      ...own,
    },
    hosts: row.hosts,
    userId: row.userId,
  }
}

/** Returns the values of a row that the service wrote about its own work. */
const shown = (values: AuditRow['values']): Happening['details'] =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? value.join(', ') : value,
    ]),
  )

/** The ID of a stack is its name. */
const nameOf = ({ kind, id }: { kind: string; id: string }) => (kind === 'stacks' ? id : null)

/** `stacks` → `stack`: the kind of an event is in the singular. */
function singular(resource: string): string {
  if (resource === 'settings') return resource
  return resource.replace(/ies$/, 'y').replace(/s$/, '')
}
