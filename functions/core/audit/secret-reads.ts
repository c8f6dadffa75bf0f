import type { NewAuditRow } from '../records/audit-row.ts'

/** Milliseconds in which reads of one thing by one caller have one row. */
const period = 60_000

/** Things read within a period that are remembered. */
const readsMax = 10_000

/**
 * Records reads of secrets, once a minute for each caller, action and thing, because clients read
 * in parts and again and again. Each process counts for itself.
 */
export function gatherReads(
  append: (row: NewAuditRow) => Promise<void>,
): (row: NewAuditRow) => Promise<void> {
  let current = Number.NaN
  const reads = new Map<string, Promise<void>>()
  return (row) => {
    const now = Math.floor(row.at / period)
    if (now !== current || reads.size >= readsMax) reads.clear()
    current = now
    const key = keyOf(row)
    const known = reads.get(key)
    if (known) return known
    const recorded = append(row).catch((error) => {
      // The next read tries again.
      if (reads.get(key) === recorded) reads.delete(key)
      throw error
    })
    reads.set(key, recorded)
    return recorded
  }
}

const keyOf = ({ userId, credential, action, subject, hosts, values }: NewAuditRow) =>
  JSON.stringify([userId, credential?.id, action, subject?.id, hosts, ...partOf(values)])

/** What of a thing is read. Where a part of a long text begins is not among it. */
const partOf = ({ path, environment, revision }: NewAuditRow['values']) => [
  path,
  environment,
  revision,
]
