import { setTimeout as delay } from 'node:timers/promises'
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type KeysAndAttributes,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { internalError } from '../../functions/core/errors.ts'
import { withExpiryIndex } from '../store/expiry-index.ts'
import type { Item, Key } from '../store/item.ts'
import { fromWire, toWire } from '../store/wire.ts'
import type { StoreClient } from './client.ts'

/** What of the items is returned: all attributes by default. */
export type Projection = Pick<
  KeysAndAttributes,
  'ProjectionExpression' | 'ExpressionAttributeNames'
>

/** Reads any number of items, 100 per call. Repeats the keys that the store did not process. */
export async function batchGet(
  client: StoreClient,
  keys: readonly Key[],
  projection: Projection = {},
): Promise<Item[]> {
  const items: Item[] = []
  await inBatches<Record<string, AttributeValue>>(
    keys.map(({ pk, sk }) => toWire({ pk, sk })),
    100,
    async (Keys) => {
      const asked = { ...projection, Keys, ConsistentRead: true }
      const answer = await client.send((dynamo, options) =>
        dynamo.send(new BatchGetItemCommand({ RequestItems: { [client.table]: asked } }), options),
      )
      items.push(...(answer.Responses?.[client.table] ?? []).map(fromWire))
      return answer.UnprocessedKeys?.[client.table]?.Keys
    },
  )
  return items
}

/** Removes any number of items, 25 per call. */
export async function batchRemove(client: StoreClient, keys: readonly Key[]): Promise<void> {
  const requests = keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: toWire({ pk, sk }) } }))
  await batchWrite(client, requests, 25)
}

/** Items have up to 400 KB: this many per call are written within the deadline. */
const putsAtOnce = 10

/** Writes any number of items in any order, replacing those with the same keys. */
export async function batchPut(client: StoreClient, items: readonly Item[]): Promise<void> {
  const requests = items.map((item) => ({ PutRequest: { Item: toWire(withExpiryIndex(item)) } }))
  await batchWrite(client, requests, putsAtOnce)
}

async function batchWrite(client: StoreClient, requests: WriteRequest[], size: number) {
  await inBatches(requests, size, async (batch) => {
    const answer = await client.send((dynamo, options) =>
      dynamo.send(new BatchWriteItemCommand({ RequestItems: { [client.table]: batch } }), options),
    )
    return answer.UnprocessedItems?.[client.table]
  })
}

/**
 * Calls `call` with batches. It returns the part of its batch that was not processed, which is
 * repeated after a growing delay.
 */
async function inBatches<T>(
  all: T[],
  size: number,
  call: (batch: T[]) => Promise<T[] | undefined>,
) {
  const waiting = [...all]
  let idle = 0
  while (waiting.length > 0) {
    const batch = waiting.splice(0, size)
    const undone = (await call(batch)) ?? []
    waiting.push(...undone)
    idle = undone.length < batch.length ? 0 : idle + 1
    if (idle > 6) throw internalError('The store does not respond', { reason: 'store-unavailable' })
    if (undone.length > 0) await delay(25 * 2 ** idle)
  }
}
