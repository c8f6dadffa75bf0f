import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { refresh } from './refresh.ts'

type Link = components['schemas']['AuditLink']

/** An export of the audit log. */
export interface AuditExport {
  /** A row on each line, as JSON. */
  content: Blob
  rows: number
  /** The newest row, or undefined if there are no rows. */
  last: Pick<Link, 'seq' | 'mac'> | undefined
}

/** Reads every row of the audit log and checks the chain. */
export const verifyAudit = () => unwrap(api.GET('/audit/verify'))

/** Reads every row before a time. */
export async function exportAudit(before: Date): Promise<AuditExport> {
  const parts: string[] = []
  const exported: AuditExport = { content: new Blob(), rows: 0, last: undefined }
  for (;;) {
    const query = { after: exported.last?.seq ?? 0, before: before.toISOString() }
    const page = await unwrap(api.GET('/audit/export', { params: { query } }))
    const last = page.at(-1)
    if (!last) return { ...exported, content: new Blob(parts, { type: 'application/jsonl' }) }
    parts.push(page.map((row) => `${JSON.stringify(row)}\n`).join(''))
    exported.rows += page.length
    exported.last = last
  }
}

/** Removes the rows up to one that was exported. Returns how many. */
export async function trimAudit({ seq, mac }: Pick<Link, 'seq' | 'mac'>): Promise<number> {
  const { removed } = await unwrap(api.POST('/audit/trim', { body: { sequence: seq, mac } }))
  refresh('/audit')
  return removed
}
