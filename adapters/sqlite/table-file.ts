import type { Item, Key } from '../store/item.ts'
import type { Change, Condition, IndexOptions, QueryOptions, ScanOptions } from '../store/table.ts'
import type { IndexPlace, Page, TableCalls } from './calls.ts'
import { parseCondition } from './expressions/condition.ts'
import { parseUpdate } from './expressions/update.ts'
import { checkValues } from './expressions/values.ts'
import { checkItem, checkKey } from './limits.ts'
import type { Database, SqlRow, Statement } from './node-sqlite.ts'
import { Refusal } from './refusal.ts'
import { decodeItem, encodeItem, type StoredItem } from './row.ts'

/** Bytes of a page, as with DynamoDB. */
const pageBytes = 1024 * 1024

/** A table of the file. The caller makes the transactions. */
export class TableFile implements TableCalls {
  readonly #database: Database
  readonly #name: string
  readonly #statements = new Map<string, Statement>()

  constructor(database: Database, name: string) {
    this.#database = database
    this.#name = name
  }

  open(): void {}

  get(key: Key): Item | undefined {
    checkKey(key)
    const row = this.#prepare('SELECT plain, bytes FROM $ WHERE pk = ? AND sk = ?').get(
      ...[key.pk, key.sk],
    )
    return row && itemOf(row)
  }

  getMany(keys: readonly Key[], attributes: readonly string[] | undefined): Item[] {
    checkDifferent(keys)
    return projected(
      keys.flatMap((key) => this.get(key) ?? []),
      attributes,
    )
  }

  query(pk: string, { newestFirst, limit, after, attributes }: QueryOptions): Page<string> {
    checkPartition(pk)
    const [sign, order] = newestFirst ? ['<', 'DESC'] : ['>', 'ASC']
    const rows = this.#prepare(
      `SELECT plain, bytes FROM $ WHERE pk = ? ${after ? `AND sk ${sign} ?` : ''} ORDER BY sk ${order}`,
    ).iterate(...[pk, ...(after ? [after] : [])])
    const page = pageOf(rows, limit)
    return { items: projected(page.items, attributes), next: page.last?.sk }
  }

  queryIndex(
    gsi1pk: string,
    { newestFirst, limit, upTo, after, attributes }: IndexOptions,
    from: IndexPlace | undefined,
  ): Page<IndexPlace> {
    checkPartition(gsi1pk)
    const [sign, order] = newestFirst ? ['<', 'DESC'] : ['>', 'ASC']
    const bound = upTo || after
    const rows = this.#prepare(
      `SELECT plain, bytes FROM $ WHERE gsi1pk = ?
       ${bound ? `AND gsi1sk ${upTo ? '<=' : '>'} ?` : ''}
       ${from ? `AND (gsi1sk, pk, sk) ${sign} (?, ?, ?)` : ''}
       ORDER BY gsi1sk ${order}, pk ${order}, sk ${order}`,
    ).iterate(gsi1pk, ...(bound ? [bound] : []), ...(from ?? []))
    const { items, last } = pageOf(rows, limit)
    const next: IndexPlace | undefined = last && [String(last.gsi1sk), last.pk, last.sk]
    return { items: projected(items, attributes), next }
  }

  scanPage({ filter, values = {}, attributes, limit, from }: ScanOptions): Page<Key> {
    const test = filter === undefined ? undefined : parseCondition(filter)
    checkValues([filter ?? ''], values)
    const rows = this.#prepare(
      `SELECT plain, bytes FROM $ ${from ? 'WHERE (pk, sk) > (?, ?)' : ''} ORDER BY pk, sk`,
    ).iterate(...(from ? [from.pk, from.sk] : []))
    const { items, last } = pageOf(rows, limit)
    const found = test ? items.filter((item) => test({ item, values })) : items
    return {
      items: projected(found, attributes),
      next: last && { pk: last.pk, sk: last.sk },
    }
  }

  put(item: Item, condition: Condition | undefined): boolean {
    checkItem(item)
    if (condition && !this.#holds(condition, this.get(item))) return false
    this.#write(item)
    return true
  }

  update({ pk, sk }: Key, change: Change): Item | undefined {
    const assign = parseUpdate(change.set)
    checkValues([change.set, change.if], change.values)
    const item = this.get({ pk, sk })
    const subject = { item, values: change.values }
    if (!parseCondition(change.if)(subject)) return undefined
    const changed: Item = { pk, sk, ...item, ...assign(subject) }
    checkItem(changed)
    this.#write(changed)
    return changed
  }

  take(key: Key, condition: Condition | undefined): Item | undefined {
    const item = this.get(key)
    if (condition && !this.#holds(condition, item)) return undefined
    if (item) this.#remove(key)
    return item
  }

  putMany(items: readonly Item[]): void {
    checkDifferent(items)
    for (const item of items) checkItem(item)
    for (const item of items) this.#write(item)
  }

  removeMany(keys: readonly Key[]): void {
    checkDifferent(keys)
    for (const key of keys) checkKey(key)
    for (const key of keys) this.#remove(key)
  }

  #holds(condition: Condition, item: Item | undefined): boolean {
    const { values = {} } = condition
    checkValues([condition.if], values)
    return parseCondition(condition.if)({ item, values })
  }

  #write(item: Item): void {
    const { plain, bytes } = encodeItem(item)
    // An item with one of the two keys is not in the index.
    const isIndexed = item.gsi1pk !== undefined && item.gsi1sk !== undefined
    const index = isIndexed ? [String(item.gsi1pk), String(item.gsi1sk)] : [null, null]
    this.#prepare(
      `INSERT INTO $ (pk, sk, gsi1pk, gsi1sk, plain, bytes) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (pk, sk) DO UPDATE SET gsi1pk = excluded.gsi1pk, gsi1sk = excluded.gsi1sk,
         plain = excluded.plain, bytes = excluded.bytes`,
    ).run(item.pk, item.sk, ...index, plain, bytes)
  }

  #remove({ pk, sk }: Key): void {
    this.#prepare('DELETE FROM $ WHERE pk = ? AND sk = ?').run(pk, sk)
  }

  /** Returns a statement, where `$` is the table. */
  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql.replace('$', this.#name))
    this.#statements.set(sql, statement)
    return statement
  }
}

const itemOf = (row: SqlRow): Item => decodeItem(row as unknown as StoredItem)

/** Returns the items of one page. `last` is the last one if there may be more. */
function pageOf(rows: Iterable<SqlRow>, limit: number | undefined) {
  const items: Item[] = []
  let bytes = 0
  for (const row of rows) {
    const { plain, bytes: blob } = row as unknown as StoredItem
    items.push(itemOf(row))
    bytes += plain.length + (blob?.length ?? 0)
    if (items.length === limit || bytes >= pageBytes) return { items, last: items.at(-1) }
  }
  return { items, last: undefined }
}

/** Returns items with only these attributes and their keys, or whole items if none are named. */
function projected(items: Item[], attributes: readonly string[] | undefined): Item[] {
  if (!attributes) return items
  const names = ['pk', 'sk', ...attributes]
  return items.map((item) => {
    const found = names.filter((name) => item[name] !== undefined)
    return Object.fromEntries(found.map((name) => [name, item[name]])) as Item
  })
}

function checkPartition(pk: string): void {
  checkKey({ pk, sk: '-' })
}

/** @throws Refusal if two keys are equal */
function checkDifferent(keys: readonly Key[]): void {
  if (new Set(keys.map(({ pk, sk }) => JSON.stringify([pk, sk]))).size < keys.length)
    throw new Refusal('the same key is twice in one batch')
}
