import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { batchGet, batchRemove } from './batch.ts'
import type { StoreClient } from './client.ts'
import { withExpiryIndex } from './expiry-index.ts'
import { fromWire, type Item, type Key, toWire, type Value } from './item.ts'

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
 * Options of a scan that reads `limit` items and returns those that match `filter` (`#name`,
 * `:name`), with `attributes` and their keys.
 */
export interface ScanOptions {
  filter: string
  values?: Record<string, Value>
  attributes: readonly string[]
  limit: number
  from?: Key
}

/**
 * A table, with calls that every store with DynamoDB's API supports. Reads are strongly consistent,
 * except for the index.
 */
export interface Table {
  get(pk: string, sk: string): Promise<Item | undefined>
  /** Returns the items that exist, in no particular order. */
  getMany(keys: Key[]): Promise<Item[]>
  /** Returns items sorted by `sk`. */
  query(pk: string, options?: QueryOptions): Promise<Item[]>
  /**
   * Returns the items with this `gsi1pk`, sorted by `gsi1sk`. The index may lag behind writes: read
   * an item again before you act on it.
   */
  queryIndex(gsi1pk: string, options?: IndexOptions): Promise<Item[]>
  /** Returns false if the condition does not hold. */
  put(item: Item, condition?: Condition): Promise<boolean>
  /** Returns the updated item, or undefined if the condition does not hold. */
  update(key: Key, change: Change): Promise<Item | undefined>
  /**
   * Removes and returns the item, or returns undefined if there is none or the condition does not
   * hold.
   */
  take(key: Key, condition?: Condition): Promise<Item | undefined>
  /** Returns false if there is no item or the condition does not hold. */
  remove(key: Key, condition?: Condition): Promise<boolean>
  removeMany(keys: Key[]): Promise<void>
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

/** Returns the table that the client is for. */
export function table(client: StoreClient): Table {
  const get = async (pk: string, sk: string) => {
    const { Item: found } = await client.send((dynamo, options) =>
      dynamo.send(
        new GetItemCommand({
          TableName: client.table,
          Key: toWire({ pk, sk }),
          ConsistentRead: true,
        }),
        options,
      ),
    )
    return found && fromWire(found)
  }
  return {
    get,
    getMany: (keys) => batchGet(client, keys),
    query: (pk, options) => query(client, pk, options),
    queryIndex: (gsi1pk, options) => queryIndex(client, gsi1pk, options),
    put: (item, condition) => put(client, item, condition, get),
    update: (key, change) => update(client, key, change),
    take: (key, condition) => take(client, key, condition),
    remove: async (key, condition) => (await take(client, key, condition)) !== undefined,
    removeMany: (keys) => batchRemove(client, keys),
    scan: (attribute) => scan(client, attribute),
    scanPage: (options) => scanPage(client, options),
  }
}

function query(client: StoreClient, pk: string, { after, ...options }: QueryOptions = {}) {
  const behind = after && ` AND sk ${options.newestFirst ? '<' : '>'} :after`
  return pages(client, options, {
    KeyConditionExpression: `pk = :pk${behind || ''}`,
    ExpressionAttributeValues: toWire({ ':pk': pk, ':after': after || undefined }),
    ConsistentRead: true,
    ...projection(options.attributes),
  })
}

function queryIndex(client: StoreClient, pk: string, options: IndexOptions = {}) {
  const { upTo, after } = options
  const bound = upTo ? ' AND gsi1sk <= :bound' : after ? ' AND gsi1sk > :bound' : ''
  return pages(client, options, {
    IndexName: 'gsi1',
    KeyConditionExpression: `gsi1pk = :pk${bound}`,
    ExpressionAttributeValues: toWire({ ':pk': pk, ':bound': upTo || after || undefined }),
    ...projection(options.attributes),
  })
}

/**
 * Returns a projection to the keys and these attributes, or to all attributes if none are named.
 */
function projection(attributes: readonly string[] | undefined) {
  if (!attributes) return {}
  const names = ['pk', 'sk', ...attributes]
  return {
    ProjectionExpression: names.map((name) => `#${name}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
  }
}

/** Returns the results of all pages of a query, up to the limit. */
async function pages(
  client: StoreClient,
  { newestFirst, limit }: Pick<QueryOptions, 'newestFirst' | 'limit'>,
  asked: Omit<QueryCommandInput, 'TableName'>,
) {
  const items: Item[] = []
  const wanted = limit ?? Number.POSITIVE_INFINITY
  let from: Record<string, any> | undefined
  do {
    const page = await client.send((dynamo, options) =>
      dynamo.send(
        new QueryCommand({
          ...asked,
          TableName: client.table,
          ScanIndexForward: !newestFirst,
          Limit: limit && limit - items.length,
          ExclusiveStartKey: from,
        }),
        options,
      ),
    )
    items.push(...(page.Items ?? []).map(fromWire))
    from = page.LastEvaluatedKey
  } while (from && items.length < wanted)
  return items
}

async function* scan(client: StoreClient, attribute: string): AsyncGenerator<Item> {
  let from: Record<string, any> | undefined
  do {
    const page = await client.send((dynamo, options) =>
      dynamo.send(
        new ScanCommand({
          TableName: client.table,
          FilterExpression: 'attribute_exists(#has)',
          ExpressionAttributeNames: { '#has': attribute },
          ConsistentRead: true,
          Limit: 500,
          ExclusiveStartKey: from,
        }),
        options,
      ),
    )
    yield* (page.Items ?? []).map(fromWire)
    from = page.LastEvaluatedKey
  } while (from)
}

async function scanPage(client: StoreClient, options: ScanOptions): Promise<ScanPage> {
  const { filter, values, attributes, limit, from } = options
  const { FilterExpression, ...parts } = expressions({ FilterExpression: filter }, values)
  const projected = projection(attributes)
  const page = await client.send((dynamo, sending) =>
    dynamo.send(
      new ScanCommand({
        TableName: client.table,
        FilterExpression,
        ...projected,
        ExpressionAttributeNames: {
          ...parts.ExpressionAttributeNames,
          ...projected.ExpressionAttributeNames,
        },
        ExpressionAttributeValues: parts.ExpressionAttributeValues,
        ConsistentRead: true,
        Limit: limit,
        ExclusiveStartKey: from && toWire(from),
      }),
      sending,
    ),
  )
  const last = page.LastEvaluatedKey && fromWire(page.LastEvaluatedKey)
  return { items: (page.Items ?? []).map(fromWire), next: last && { pk: last.pk, sk: last.sk } }
}

/**
 * Puts an item. A retried put may find the result of its first try, whose response was lost; `rev`
 * shows that.
 */
async function put(
  client: StoreClient,
  item: Item,
  condition: Condition | undefined,
  get: Table['get'],
) {
  try {
    await client.send((dynamo, options) =>
      dynamo.send(
        new PutItemCommand({
          TableName: client.table,
          Item: toWire(withExpiryIndex(item)),
          ...expressions({ ConditionExpression: condition?.if }, condition?.values),
        }),
        options,
      ),
    )
    return true
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    if ((error.$metadata.attempts ?? 1) === 1 || item.rev === undefined) return false
    return (await get(item.pk, item.sk))?.rev === item.rev
  }
}

async function update(client: StoreClient, { pk, sk }: Key, change: Change) {
  try {
    const { Attributes } = await client.send((dynamo, options) =>
      dynamo.send(
        new UpdateItemCommand({
          TableName: client.table,
          Key: toWire({ pk, sk }),
          ReturnValues: 'ALL_NEW',
          ...expressions(
            { UpdateExpression: `SET ${change.set}`, ConditionExpression: change.if },
            change.values,
          ),
        }),
        options,
      ),
    )
    return fromWire(Attributes ?? {})
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined
    throw error
  }
}

/**
 * Removes and returns an item. Without a condition, DynamoDB Local returns the item to several
 * concurrent deletes; hence the default condition.
 */
async function take(client: StoreClient, { pk, sk }: Key, condition: Condition = present) {
  try {
    const { Attributes } = await client.send((dynamo, options) =>
      dynamo.send(
        new DeleteItemCommand({
          TableName: client.table,
          Key: toWire({ pk, sk }),
          ReturnValues: 'ALL_OLD',
          ...expressions({ ConditionExpression: condition.if }, condition.values),
        }),
        options,
      ),
    )
    return Attributes && fromWire(Attributes)
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined
    throw error
  }
}

/** Returns the expressions with the names and values that they use. */
function expressions<T extends Record<string, string | undefined>>(
  parts: T,
  values: Record<string, Value> = {},
) {
  const text = Object.values(parts).join(' ')
  const names = [...text.matchAll(/#(\w+)/g)].map(([placeholder, name]) => [placeholder, name])
  const wire = Object.entries(values).map(([name, value]) => [`:${name}`, value])
  return {
    ...parts,
    ExpressionAttributeNames: names.length > 0 ? Object.fromEntries(names) : undefined,
    ExpressionAttributeValues: wire.length > 0 ? toWire(Object.fromEntries(wire)) : undefined,
  }
}
