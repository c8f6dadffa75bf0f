import type { Hosts } from '../../functions/core/hosts/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import type { GuardedNames } from './guarded-names.ts'
import type { GuardKind } from './guards.ts'
import type { Item } from './item.ts'
import type { Table } from './table.ts'

/** What tells a leftover from an item in use. */
export interface LeftoverOptions {
  clock: Pick<Clock, 'now'>
  hosts: Pick<Hosts, 'list'>
  names: GuardedNames
}

/** How old a guard or a chunk must be before it counts as left behind. Milliseconds. */
export const leftBehindAfter = 24 * 3_600_000

/** The partitions that belong to one host, with its ID behind the prefix. */
const hostPartitions = ['owners#', 'alert-states#', 'lease#look:']
/** The partitions with one item per host, under its ID. */
const hostLists = ['host-watches', 'host-connections']

/** Which items a scan must return so that leftovers are found among them. */
export const leftovers = {
  filter:
    '#sk = :guard OR (begins_with(#pk, :text) AND #sk <> :head) OR begins_with(#pk, :owners)' +
    ' OR begins_with(#pk, :states) OR begins_with(#pk, :look)' +
    ' OR #pk = :watches OR #pk = :connections',
  values: {
    ...{ guard: 'guard', text: 'text#', head: 'head', watches: hostLists[0] ?? '' },
    ...{ owners: 'owners#', states: 'alert-states#', look: 'lease#look:' },
    connections: hostLists[1] ?? '',
  },
  attributes: ['id', 'at'],
}

/** Whether an item is of a kind that can be left behind, for example by a process that was killed. */
export const isLeftoverKind = (item: Item): boolean =>
  isGuard(item) || isChunk(item) || hostOf(item) !== undefined

const isGuard = ({ sk }: Item) => sk === 'guard'
const isChunk = ({ pk, sk }: Item) => pk.startsWith('text#') && sk !== 'head'

/** Returns the ID of the host that an item belongs to, or undefined. */
function hostOf({ pk, sk }: Item): string | undefined {
  if (hostLists.includes(pk)) return sk
  const prefix = hostPartitions.find((one) => pk.startsWith(one))
  return prefix === undefined ? undefined : pk.slice(prefix.length)
}

/**
 * Removes what is left behind among the items of a page: name guards without a record of that name,
 * chunks that no text refers to, and the items of hosts that no longer exist. What decides is read
 * after the page, since a record, a head and a host are written before or after these items.
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

/** A host is recorded before its items are, and its ID is never used again. */
async function removeHostItems(table: Table, page: readonly Item[], hosts: Pick<Hosts, 'list'>) {
  const ofHosts = page.filter((item) => hostOf(item) !== undefined)
  if (ofHosts.length === 0) return
  const known = new Set((await hosts.list()).map(({ id }) => id))
  const gone = ofHosts.filter((item) => !known.has(hostOf(item) ?? ''))
  await table.removeMany(gone.map(({ pk, sk }) => ({ pk, sk })))
}

/** A claim of the same name writes another `rev`, so that this removal fails. */
async function removeGuard(table: Table, { pk, sk, id, at, rev }: Item, options: LeftoverOptions) {
  const cut = pk.indexOf('#')
  const nameOf = options.names[pk.slice(0, cut) as GuardKind]
  const age = options.clock.now() - (at as number)
  if (!nameOf || !(age >= leftBehindAfter)) return
  const name = pk.slice(cut + 1)
  // A record that cannot be read, for lack of its key, keeps its name.
  if ((await nameOf(id as string).catch(() => name)) === name) return
  await table.remove({ pk, sk }, { if: '#rev = :seen', values: { seen: rev as number } })
}

/** Chunks of earlier versions have no time: they get one, and the next scan decides. */
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

/** Returns the set of chunks that a text refers to; undefined without a text. */
async function currentSet(table: Table, pk: string): Promise<unknown> {
  const items = await table.query(pk, { attributes: ['set'] })
  return items.find(({ sk }) => sk === 'head')?.set
}
