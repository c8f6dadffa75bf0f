import type { Item, Key, Value } from './item.ts'

/** The condition of a write: `#name` is an attribute, `:name` one of the values. */
export interface Condition {
  if: string
  values?: Record<string, Value>
}

/** An update: `set` and `if` use `#name` for attributes and `:name` for values. */
export interface Change extends Condition {
  set: string
  values: Record<string, Value>
}

/** `after`: only items after this `sk` in the requested order. */
export interface QueryOptions {
  newestFirst?: boolean
  limit?: number
  after?: string
  /** Return only these attributes and the keys. */
  attributes?: readonly string[]
}

/** `upTo`: only items up to this `gsi1sk`. `attributes`: return only these and the keys. */
export interface IndexOptions {
  newestFirst?: boolean
  limit?: number
  upTo?: string
  after?: string
  attributes?: readonly string[]
}

/** A page of a scan. `next` is the key to continue from, or undefined at the end of the table. */
export interface ScanPage {
  items: Item[]
  next: Key | undefined
}

/**
 * Options of a scan that reads up to `limit` items, by default 1 MB, and returns those that match
 * `filter` (`#name`, `:name`).
 */
export interface ScanOptions {
  filter?: string
  values?: Record<string, Value>
  /** Return only these attributes and the keys. */
  attributes?: readonly string[]
  limit?: number
  from?: Key
}

/**
 * A table, with calls that every store with DynamoDB's API supports. Reads are strongly consistent,
 * except for the index.
 */
export interface Table {
  get(pk: string, sk: string): Promise<Item | undefined>
  /**
   * Returns the items that exist, in no particular order. `attributes`: only these and the keys.
   */
  getMany(keys: readonly Key[], attributes?: readonly string[]): Promise<Item[]>
  /** Returns items sorted by `sk`. */
  query(pk: string, options?: QueryOptions): Promise<Item[]>
  /**
   * Returns the items with this `gsi1pk`, sorted by `gsi1sk`. The index may lag behind writes: read
   * an item again before you act on it.
   */
  queryIndex(gsi1pk: string, options?: IndexOptions): Promise<Item[]>
  /**
   * Returns false if the condition does not hold. An item with a `rev` shows whether it was written
   * by a call whose response was lost, unless another write replaced it since: then this returns
   * false as well.
   */
  put(item: Item, condition?: Condition): Promise<boolean>
  /** Writes items with different keys in any order, whatever they replace. */
  putMany(items: readonly Item[]): Promise<void>
  /**
   * Returns the updated item, or undefined if the condition does not hold. Set `rev` if you need to
   * know: without it, an update whose first response was lost may return undefined.
   */
  update(key: Key, change: Change): Promise<Item | undefined>
  /**
   * Removes and returns the item, or returns undefined if there is none or the condition does not
   * hold. Only one caller ever gets an item. If a response of the store was lost, no caller does.
   */
  take(key: Key, condition?: Condition): Promise<Item | undefined>
  /**
   * Returns false if there is no item or the condition does not hold. If a response of the store
   * was lost and the item is gone, returns true, maybe to two callers: see `take`.
   */
  remove(key: Key, condition?: Condition): Promise<boolean>
  removeMany(keys: readonly Key[]): Promise<void>
  /**
   * Yields every item with this attribute, in no particular order. It reads the whole table, so do
   * not use it for requests.
   */
  scan(attribute: string): AsyncIterable<Item>
  /** Reads one page of the table, for work that continues later. */
  scanPage(options: ScanOptions): Promise<ScanPage>
}

/** The condition that no item has these keys. */
export const absent: Condition = { if: 'attribute_not_exists(#pk)' }

/** The condition that an item has these keys. */
export const present: Condition = { if: 'attribute_exists(#pk)' }
