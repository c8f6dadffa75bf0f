import type { Table } from '../../adapters/store/table.ts'
import { present } from '../../adapters/testing/present.ts'

/** Number of rows by kind, which is the beginning of the partition key. */
export type Counts = Record<string, number>

/** Days until the number of rows of a kind is stable: the time its rows are kept, and some more. */
const daysUntilFull: Counts = {
  lease: 9,
  'alert-delivery': 32,
  'alert-events': 32,
}
const usualDays = 3

/** Kinds that only an administrator removes: `cli audit trim`. */
export const endless = new Set(['audit'])

/**
 * A kind grows if a later count is larger than the earlier one times `factorMax`, plus `rowsMax`.
 */
const factorMax = 1.3
const rowsMax = 4

/** Counts the rows of both tables. */
export async function countRows(tables: readonly Table[]): Promise<Counts> {
  const counts: Counts = {}
  for (const table of tables) {
    let from: { pk: string; sk: string } | undefined
    do {
      const options = { filter: 'attribute_exists(#pk)', attributes: [], limit: 2000 }
      const page = await table.scanPage({ ...options, ...(from && { from }) })
      for (const { pk } of page.items) {
        const kind = present(pk.split('#')[0])
        counts[kind] = (counts[kind] ?? 0) + 1
      }
      from = page.next
    } while (from)
  }
  return counts
}

/** Returns the kinds that grew without bound between two counts, given the days of the counts. */
export function growing(
  before: { day: number; counts: Counts },
  after: { day: number; counts: Counts },
): string[] {
  return Object.entries(after.counts).flatMap(([kind, count]) => {
    const isFull = before.day >= (daysUntilFull[kind] ?? usualDays)
    if (endless.has(kind) || !isFull) return []
    const earlier = before.counts[kind] ?? 0
    return count > earlier * factorMax + rowsMax ? [`${kind}: ${earlier} → ${count}`] : []
  })
}
