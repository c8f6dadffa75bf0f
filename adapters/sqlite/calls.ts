import type { Item, Key, Value } from '../store/item.ts'
import type { Change, Condition, IndexOptions, QueryOptions, ScanOptions } from '../store/table.ts'

/** Where a page of an index ends: the values that its rows are sorted by. */
export type IndexPlace = [gsi1sk: string, pk: string, sk: string]

/** A page of results. `next` continues it, and is undefined on the last page. */
export interface Page<Place> {
  items: Item[]
  next: Place | undefined
}

/** The calls of one table. Each runs in one go and answers with at most about a megabyte. */
export interface TableCalls {
  /** Does nothing. The first call of any kind opens the file. */
  open(): void
  get(key: Key): Item | undefined
  getMany(keys: readonly Key[], attributes: readonly string[] | undefined): Item[]
  query(pk: string, options: QueryOptions): Page<string>
  queryIndex(gsi1pk: string, options: IndexOptions, from: IndexPlace | undefined): Page<IndexPlace>
  scanPage(options: ScanOptions): Page<Key>
  put(item: Item, condition: Condition | undefined): boolean
  update(key: Key, change: Change): Item | undefined
  take(key: Key, condition: Condition | undefined): Item | undefined
  putMany(items: readonly Item[]): void
  removeMany(keys: readonly Key[]): void
}

export type Method = keyof TableCalls

/** The calls that write. */
const writing = new Set<Method>(['put', 'update', 'take', 'putMany', 'removeMany'])

export const isWrite = (method: Method): boolean => writing.has(method)

/** A call that is sent to the thread of the store. */
export interface Call<M extends Method = Method> {
  id: number
  table: 'items' | 'logs'
  method: M
  args: Parameters<TableCalls[M]>
  /** Milliseconds of `monotonicNow`, after which the caller no longer waits. */
  until: number
}

/** The answer to a call. */
export type Answer = { id: number } & ({ value: unknown } | { error: CallError })

/** Why a call failed. `code` is that of SQLite, undefined if the call was refused. */
export interface CallError {
  message: string
  code: number | undefined
}

/** Milliseconds on a clock that all threads of a process share. */
export const monotonicNow = (): number => Number(process.hrtime.bigint() / 1000n) / 1000

/**
 * Returns the buffers of the bytes in a value, each once, so that they can be handed to another
 * thread.
 */
export const buffersOf = (value: unknown): ArrayBuffer[] => [...new Set(allBuffers(value))]

function allBuffers(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) return [value.buffer as ArrayBuffer]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(allBuffers) : []
}

/**
 * Returns a value with bytes that are copies. A view can be of a much larger buffer, all of which
 * would be copied for another thread.
 */
export function withOwnBytes<T extends Value | object | undefined>(value: T): T {
  if (value instanceof Uint8Array) return new Uint8Array(value) as T & Uint8Array
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withOwnBytes) as T & unknown[]
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withOwnBytes(inner)]),
  ) as T
}
