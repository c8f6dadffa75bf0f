import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { withExpiryIndex } from '../store/expiry-index.ts'
import type { Item, Key, Value } from '../store/item.ts'
import type {
  Change,
  Condition,
  IndexOptions,
  QueryOptions,
  ScanOptions,
  ScanPage,
  Table,
} from '../store/table.ts'
import { present } from '../store/table.ts'
import { fromWire, toWire } from '../store/wire.ts'
import { batchGet, batchPut, batchRemove } from './batch.ts'
import type { StoreClient } from './client.ts'
import { indexName } from './table-definition.ts'

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
    getMany: (keys, attributes) => batchGet(client, keys, projection(attributes)),
    query: (pk, options) => query(client, pk, options),
    queryIndex: (gsi1pk, options) => queryIndex(client, gsi1pk, options),
    put: (item, condition) => put(client, item, condition, get),
    update: (key, change) => update(client, key, change, get),
    take: async (key, condition) => (await take(client, key, condition)).item,
    remove: (key, condition) => remove(client, key, condition, get),
    putMany: (items) => batchPut(client, items),
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
    IndexName: indexName,
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
  let from: QueryCommandOutput['LastEvaluatedKey']
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
  let from: QueryCommandOutput['LastEvaluatedKey']
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
  const parts = expressions({ FilterExpression: filter }, values)
  const projected = projection(attributes)
  const names = { ...parts.ExpressionAttributeNames, ...projected.ExpressionAttributeNames }
  const page = await client.send((dynamo, sending) =>
    dynamo.send(
      new ScanCommand({
        TableName: client.table,
        ...parts,
        ...projected,
        ExpressionAttributeNames: Object.keys(names).length > 0 ? names : undefined,
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
    if (!isRepeated(error) || item.rev === undefined) return false
    return (await get(item.pk, item.sk))?.rev === item.rev
  }
}

/**
 * Returns whether a write whose condition did not hold was sent before, so that it may have found
 * its own result.
 *
 * @throws the error if it is another one
 */
function isRepeated(error: unknown): boolean {
  if (!(error instanceof ConditionalCheckFailedException)) throw error
  return (error.$metadata.attempts ?? 1) > 1
}

/** Updates an item. If the update sets `rev`, it shows the result of a lost first try. */
async function update(
  client: StoreClient,
  { pk, sk }: Key,
  change: Change,
  get: Table['get'],
): Promise<Item | undefined> {
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
    const isFound = isRepeated(error) && /#rev = :rev\b/.test(change.set)
    const found = isFound ? await get(pk, sk) : undefined
    return found?.rev === change.values.rev ? found : undefined
  }
}

/**
 * Removes an item. The repetition of a delete finds nothing if its first try removed the item, so
 * an item that is gone then counts as removed by it.
 */
async function remove(
  client: StoreClient,
  key: Key,
  condition: Condition | undefined,
  get: Table['get'],
): Promise<boolean> {
  const { item, isRepeated } = await take(client, key, condition)
  if (item || !isRepeated) return item !== undefined
  return (await get(key.pk, key.sk)) === undefined
}

/**
 * Removes and returns an item, and whether it was asked more than once. Without a condition,
 * DynamoDB Local returns the item to several concurrent deletes; hence the default condition.
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
    return { item: Attributes && fromWire(Attributes), isRepeated: false }
  } catch (error) {
    return { item: undefined, isRepeated: isRepeated(error) }
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
