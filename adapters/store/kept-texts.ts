import type { Clock } from '../../functions/core/ports/clock.ts'
import { type Item, newRevision } from './item.ts'
import type { Table } from './table.ts'
import { digestIn, textIndex, textPlace } from './text-keys.ts'

/**
 * Milliseconds. A text stored less than this ago is not renewed: no sweep removes a text within a
 * day.
 */
const renewAfter = 3_600_000

/** Texts that are renewed at once. */
const renewedAtOnce = 8

/**
 * Returns the digests of the texts that exist and that no sweep will remove soon. Renews those that
 * were stored long ago.
 */
export async function keptTexts(
  table: Table,
  digests: readonly string[],
  clock: Pick<Clock, 'now'>,
): Promise<Set<string>> {
  const keys = digests.map((digest) => ({ pk: textPlace(digest), sk: 'head' }))
  const heads = await table.getMany(keys, ['at', 'unused'])
  const isFresh = (head: Item) =>
    head.unused === undefined && (head.at as number) > clock.now() - renewAfter
  const kept = new Set(heads.filter(isFresh).map(({ pk }) => digestIn(pk)))
  const old = heads.filter((head) => !isFresh(head))
  for (let start = 0; start < old.length; start += renewedAtOnce) {
    const renewing = old.slice(start, start + renewedAtOnce).map(async (head) => {
      // A sweep may have removed it meanwhile.
      if (await renew(table, head, clock.now())) kept.add(digestIn(head.pk))
    })
    await Promise.all(renewing)
  }
  return kept
}

/** Returns false if the text is gone. */
async function renew(table: Table, { pk, unused }: Item, now: number): Promise<boolean> {
  // Later than the time at which it was found unused, even if this clock is behind.
  const at = Math.max(now, ((unused as number | undefined) ?? 0) + 1)
  const values = { ...textIndex(pk), at, rev: newRevision() }
  const set = '#at = :at, #rev = :rev, #gsi1pk = :gsi1pk, #gsi1sk = :gsi1sk'
  const renewed = await table.update(
    { pk, sk: 'head' },
    { set, if: 'attribute_exists(#pk)', values },
  )
  return renewed !== undefined
}
