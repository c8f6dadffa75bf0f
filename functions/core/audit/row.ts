import type { AuditQuery, AuditRow, NewAuditRow } from '../records/audit-row.ts'

/** Returns a row about work of the service itself. */
export function serviceRow(
  row: Pick<NewAuditRow, 'id' | 'at' | 'action' | 'outcome' | 'subject'> & Partial<NewAuditRow>,
): NewAuditRow {
  return {
    status: null,
    actor: 'service',
    userId: null,
    username: null,
    credential: null,
    ip: null,
    userAgent: null,
    requestId: null,
    hosts: [],
    fields: [],
    values: {},
    count: 1,
    ...row,
  }
}

/** Returns whether a row matches a filter. Ignores `limit`. */
export function matchesQuery(
  row: AuditRow,
  { action, userId, since, until, within }: AuditQuery,
): boolean {
  if (action !== undefined && row.action !== action && !row.action.startsWith(`${action}.`)) {
    return false
  }
  if (userId !== undefined && row.userId !== userId) return false
  if (since !== undefined && row.at < since) return false
  if (until !== undefined && row.at >= until) return false
  if (!within) return true
  return row.userId === within.userId || row.hosts.some((host) => within.hosts.includes(host))
}
