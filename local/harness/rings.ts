import { runsSecondRing } from '../test/second-ring.mjs'

/** Whether this run has the tests of the second ring, as `npm test -- --all` does. */
export const hasSecondRing = runsSecondRing()

/**
 * Returns the rows of a table of tests that this run tries: all with the second ring, otherwise
 * those that are chosen for the first one. What is left out is a row of
 * `local/test/second-ring.mjs`.
 */
export function rowsOfRing<Row>(rows: readonly Row[], isFirst: (row: Row) => boolean): Row[] {
  return rows.filter((row) => hasSecondRing || isFirst(row))
}

/**
 * Returns all rows with the second ring, otherwise those with these names.
 *
 * @throws if there is no row of a name
 */
export function rowsNamed<Row>(
  rows: readonly Row[],
  names: readonly string[],
  nameOf: (row: Row) => string,
): Row[] {
  const known = rows.map(nameOf)
  const missing = names.filter((name) => !known.includes(name))
  if (missing.length > 0) throw new Error(`no such rows: ${missing.join(', ')}`)
  return rowsOfRing(rows, (row) => names.includes(nameOf(row)))
}

/** Defines tests that only the second ring has. */
export function onlyInSecondRing(define: () => void): void {
  if (hasSecondRing) define()
}
