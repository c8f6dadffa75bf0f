import type { Clock } from '../../functions/core/ports/clock.ts'
import { type Item, newRevision } from './item.ts'
import { ifUnreadable, open, type SecretKeys, seal } from './sealed.ts'
import type { Table } from './table.ts'
import { resealText } from './texts.ts'
import { resealPart } from './uploads.ts'

/** Everything that is encrypted in the store: each item with the id of a key (`key`). */
export interface SealedItems {
  count(): Promise<Record<string, number>>
  /** Encrypts the items under other keys with the current one. Returns how many. */
  reencrypt(signal: AbortSignal): Promise<number>
  /** Returns the id of the key that all are under, if that was recorded. */
  onlyKey(): Promise<string | undefined>
  /** Records it. `null`: some may be under another key. */
  recordOnlyKey(key: string | null): Promise<void>
}

/**
 * Returns the encrypted items. An item (`secret-keys`, `settled`) records the key that all of them
 * are under.
 */
export function sealedItems(
  table: Table,
  keys: SecretKeys,
  clock: Pick<Clock, 'now'>,
): SealedItems {
  return {
    async count() {
      const counts: Record<string, number> = {}
      for await (const { key } of table.scan('key')) {
        counts[String(key)] = (counts[String(key)] ?? 0) + 1
      }
      return counts
    },
    async reencrypt(signal) {
      const key = keys.current
      let changed = 0
      for await (const item of table.scan('key')) {
        if (signal.aborted) break
        if (item.key === key || isSeal(item)) continue
        // An item whose key is missing is lost already and must not block the others.
        if (await reseal(table, keys, item, clock).catch(ifUnreadable(false))) changed += 1
      }
      return changed
    },
    async onlyKey() {
      const key = (await table.get(state.pk, state.sk))?.settled as string | undefined
      return key === 'none' ? undefined : key
    },
    async recordOnlyKey(key) {
      await table.put({ ...state, settled: key ?? 'none' })
    },
  }
}

/**
 * Returns whether an item says which key seals the others. It changes before they do: a process
 * that has not noticed yet must not change it back.
 */
const isSeal = ({ pk }: Item) => pk === 'installation'

const state = { pk: 'secret-keys', sk: 'settled' }

/** Encrypts an item with the current key. Returns false if it has changed or is gone. */
function reseal(
  table: Table,
  keys: SecretKeys,
  item: Item,
  clock: Pick<Clock, 'now'>,
): Promise<boolean> {
  if (item.pk.startsWith('text#')) return resealText(table, keys, item, clock)
  if (item.pk.startsWith('adoption#')) return resealPart(table, keys, item)
  return resealRecord(table, keys, item)
}

/** Encrypts a record of a sealed collection. */
async function resealRecord(table: Table, keys: SecretKeys, item: Item): Promise<boolean> {
  const place = `${item.pk} ${item.sk}`
  const key = keys.current
  const content = open(keys, item.key as string, item.sealed as Uint8Array, place)
  const next = { ...item, rev: newRevision(), key, sealed: seal(keys, key, content, place) }
  return table.put(next, { if: '#rev = :seen', values: { seen: item.rev as number } })
}
