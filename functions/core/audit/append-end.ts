import type { Needs } from '../ports/ports.ts'
import type { AuditRow, AuditTrail } from '../records/audit-row.ts'
import { serviceRow } from './row.ts'

/** How much older than its work a row may seem, because clocks differ. Milliseconds. */
const clockSkew = 3_600_000

/** How work ended whose request was answered before. Its row has the ID of the work. */
export interface EndOfWork extends Pick<AuditRow, 'id' | 'outcome' | 'subject' | 'values'> {
  hostId: string
  /** Milliseconds since the epoch. */
  startedAt: number
}

/**
 * Writes the audit row of the end of such work, unless it is there already. Call it under the lease
 * of the work, and again if it fails.
 */
export async function appendEnd(
  { hostId, startedAt, ...end }: EndOfWork,
  { row, ...request }: AuditTrail,
  { audit, clock }: Needs<'audit' | 'clock'>,
): Promise<void> {
  if (await audit.find(end.id, startedAt - clockSkew)) return
  await audit.append(
    serviceRow({
      ...request,
      ...end,
      at: clock.now(),
      actor: 'user',
      continues: row,
      hosts: [hostId],
    }),
  )
}
