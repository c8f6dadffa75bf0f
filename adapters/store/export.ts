import { isDeepStrictEqual } from 'node:util'
import type { ItemChunk, StoreTable } from '../../functions/core/backups/system/system-parts.ts'
import { internalError } from '../../functions/core/errors.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Item, Key } from './item.ts'
import type { StoreTables } from './store.ts'
import { storeFormatRecord } from './store-format.ts'
import type { ScanOptions, Table } from './table.ts'
import { toWire } from './wire.ts'

/**
 * Items that a restored service must not have: open sessions, tickets, sign-ins, leases, login
 * attempts, enrolments, uploads, operations and responses of repeatable requests; samples; the
 * progress of sweeps; and the heartbeats of processes.
 */
const passing = [
  ...['session#', 'sessions#', 'ticket#', 'sign-in#', 'lease#', 'attempts#'],
  ...['enrolment#', 'adoption#', 'uploads#', 'host-connections', 'sidecars', 'processes'],
  ...['operations', 'operation-cancels', 'metrics#', 'retention', 'idempotent-request#'],
]

/**
 * Items that are written before the records that refer to them: texts, guards of names, and rows of
 * API tokens and runs. They are read after the records, so that the export contains every item that
 * an exported record needs, even while the service writes.
 */
const needed =
  'begins_with(#pk, :text) OR #sk = :guard OR #pk IN (:tokens, :deployments, :runs, :running)'
const values = {
  text: 'text#',
  guard: 'guard',
  tokens: 'tokens',
  deployments: 'deployments-running',
  runs: 'backup-runs',
  running: 'backup-runs-running',
}

/**
 * Yields the lasting items of both tables, one page (1 MB) at a time, while the service keeps
 * running. Each item is as it was at some time during the export. Rows that are only ever added,
 * such as audit rows, have no gaps.
 *
 * @throws 500 if the store was converted to another format meanwhile
 */
export async function* exportItems(
  { items, logs }: StoreTables,
  clock: Clock,
  signal: AbortSignal,
): AsyncIterable<ItemChunk> {
  const passes: [StoreTable, Table, ScanOptions][] = [
    ['items', items, { filter: `NOT (${needed})`, values }],
    ['items', items, { filter: needed, values }],
    ['logs', logs, {}],
  ]
  const format = storeFormatRecord(items)
  const before = await format.find()
  for (const [name, from, options] of passes) {
    for await (const page of pages(from, options)) {
      signal.throwIfAborted()
      const lasting = page.filter((item) => lasts(item, clock.now()))
      if (lasting.length > 0) yield { table: name, count: lasting.length, lines: linesOf(lasting) }
    }
  }
  if (!isDeepStrictEqual(await format.find(), before))
    throw internalError('the store was converted while it was exported; try again')
}

async function* pages(table: Table, options: ScanOptions): AsyncIterable<Item[]> {
  let from: Key | undefined
  do {
    const page = await table.scanPage({ ...options, from })
    yield page.items
    from = page.next
  } while (from)
}

/** Returns whether an item is one that an export contains. `now` is in milliseconds. */
export function lasts({ pk, ttl }: Item, now: number): boolean {
  const isPassing = passing.some((one) => (one.endsWith('#') ? pk.startsWith(one) : pk === one))
  return !isPassing && (ttl === undefined || ttl * 1000 > now)
}

/** Returns one line per item in the format of DynamoDB's own exports: bytes are in base64. */
const linesOf = (items: Item[]) =>
  Buffer.from(items.map((item) => `${JSON.stringify({ Item: toWire(item) }, binary)}\n`).join(''))

function binary(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const bytes = this[key]
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : value
}
