import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Hosts } from '../../functions/core/ports/hosts.ts'
import type { GuardedNames } from './guarded-names.ts'
import type { GuardKind } from './guards.ts'
import type { Item } from './item.ts'
import { ifUnreadable } from './sealed.ts'
import type { Table } from './table.ts'

/** The lookups that tell a leftover from an item in use. */
export interface LeftoverOptions {
  clock: Pick<Clock, 'now'>
  hosts: Pick<Hosts, 'list'>
  names: GuardedNames
}

/** Milliseconds. The age at which a guard or a chunk without its record counts as a leftover. */
export const leftBehindAfter = 24 * 3_600_000

/** Prefixes of the partitions of one host; its id follows. */
const hostPartitions = ['owners#', 'alert-states#', 'lease#look:']
/** Partitions with one item per host, with its id as `sk`. */
const hostLists = ['host-watches', 'host-stops', 'host-connections']

/** The filter of a scan that finds possible leftovers. */
export const leftovers = {
  filter:
    '#sk = :guard OR (begins_with(#pk, :text) AND #sk <> :head) OR begins_with(#pk, :owners)' +
    ' OR begins_with(#pk, :states) OR begins_with(#pk, :look)' +
    ' OR #pk = :watches OR #pk = :stops OR #pk = :connections',
  values: {
    guard: 'guard',
    text: 'text#',
    head: 'head',
    watches: hostLists[0] ?? '',
    owners: 'owners#',
    states: 'alert-states#',
    look: 'lease#look:',
    stops: hostLists[1] ?? '',
    connections: hostLists[2] ?? '',
  },
  attributes: ['id', 'at'],
}

/**
 * Returns whether an item is of a kind that can be left behind, for example by a process that was
 * killed.
 */
export const isLeftoverKind = (item: Item): boolean =>
  isGuard(item) || isChunk(item) || hostOf(item) !== undefined

const isGuard = ({ sk }: Item) => sk === 'guard'
const isChunk = ({ pk, sk }: Item) => pk.startsWith('text#') && sk !== 'head'

/** Returns the id of the host that an item belongs to, or undefined. */
function hostOf({ pk, sk }: Item): string | undefined {
  if (hostLists.includes(pk)) return sk
  const prefix = hostPartitions.find((one) => pk.startsWith(one))
  return prefix === undefined ? undefined : pk.slice(prefix.length)
}

/**
 * Removes the leftovers on a page: guards without a record of that name, chunks without a text, and
 * the items of deleted hosts. The records, heads and hosts are read after the page, because they
 * are written before or after these items.
 */
export async function removeLeftovers(
  table: Table,
  page: readonly Item[],
  options: LeftoverOptions,
): Promise<void> {
  await removeHostItems(table, page, options.hosts)
  for (const guard of page.filter(isGuard)) await removeGuard(table, guard, options)
  await removeChunks(table, page.filter(isChunk), options.clock.now())
}

/**
 * Compares with the current hosts. A host is written before its items, and its id is never reused.
 */
async function removeHostItems(table: Table, page: readonly Item[], hosts: Pick<Hosts, 'list'>) {
  const ofHosts = page.filter((item) => hostOf(item) !== undefined)
  if (ofHosts.length === 0) return
  const known = new Set((await hosts.list()).map(({ id }) => id))
  const gone = ofHosts.filter((item) => !known.has(hostOf(item) ?? ''))
  await table.removeMany(gone.map(({ pk, sk }) => ({ pk, sk })))
}

/**
 * Removes a guard without a record. A claim of the same name changes `rev`, so the removal then
 * fails.
 */
async function removeGuard(table: Table, { pk, sk, id, at, rev }: Item, options: LeftoverOptions) {
  const cut = pk.indexOf('#')
  const nameOf = options.names[pk.slice(0, cut) as GuardKind]
  const age = options.clock.now() - (at as number)
  if (!nameOf || !(age >= leftBehindAfter)) return
  const name = pk.slice(cut + 1)
  // A record that cannot be decrypted, because its key is missing, keeps its name.
  if ((await nameOf(id as string).catch(ifUnreadable(name))) === name) return
  await table.remove({ pk, sk }, { if: '#rev = :seen', values: { seen: rev as number } })
}

/**
 * Removes old chunks without a text. Chunks of earlier versions have no time: this scan adds it,
 * and a later scan removes them.
 */
async function removeChunks(table: Table, chunks: readonly Item[], now: number) {
  const sets = new Map<string, Promise<unknown>>()
  for (const { pk, sk, at } of chunks) {
    if (at === undefined) {
      const first = 'attribute_exists(#pk) AND attribute_not_exists(#at)'
      await table.update({ pk, sk }, { set: '#at = :now', if: first, values: { now } })
      continue
    }
    if (now - (at as number) < leftBehindAfter) continue
    const set = sets.get(pk) ?? currentSet(table, pk)
    sets.set(pk, set)
    if ((await set) === sk.split('#')[0]) continue
    await table.remove({ pk, sk }, { if: '#at = :seen', values: { seen: at as number } })
  }
}

/** Returns the set of chunks that a text refers to, or undefined if there is no text. */
async function currentSet(table: Table, pk: string): Promise<unknown> {
  const items = await table.query(pk, { attributes: ['set'] })
  return items.find(({ sk }) => sk === 'head')?.set
}
