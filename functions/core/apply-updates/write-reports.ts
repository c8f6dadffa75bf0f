import type { Needs } from '../ports/ports.ts'
import type { NewAuditRow } from '../records/audit-row.ts'
import type { StackRecord } from '../records/stack.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { skewMax } from '../time/clock-skew.ts'

/**
 * Returns the change of a stack's record that adds a report. What happened is recorded together
 * with its report, so that a process that ends in between neither repeats nor loses the report.
 */
export const withReport = (
  { unreported = [] }: Pick<StackRecord, 'unreported'>,
  row: NewAuditRow | undefined,
): Pick<StackRecord, 'unreported'> => (row ? { unreported: [...unreported, row] } : {})

/** Writes the reports of a stack that are not written yet, each once. */
export async function writeReports(id: string, ports: Needs<'audit' | 'stacks'>): Promise<void> {
  const rows = (await ports.stacks.find(id))?.unreported ?? []
  if (rows.length === 0) return
  for (const row of rows) {
    if (!(await ports.audit.find(row.id, row.at - skewMax))) await ports.audit.append(row)
  }
  const written = new Set(rows.map((row) => row.id))
  const isLeft = (row: NewAuditRow) => !written.has(row.id)
  await changeStack(
    id,
    ({ unreported }) => {
      const left = unreported?.filter(isLeft) ?? []
      return { unreported: left.length > 0 ? left : undefined }
    },
    ports,
  )
}
