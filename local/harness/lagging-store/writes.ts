import type { Json } from '../../../adapters/testing/json.ts'
import { present } from '../../../adapters/testing/present.ts'
import type { ApiAnswer, ApiRequest } from './dynamo-api.ts'

/** A key of a table, as JSON on the wire. */
export interface WireKey {
  table: string
  key: { pk: Json; sk: Json }
}

/** The item of a key after a write, or undefined if there is none. */
export interface Written extends WireKey {
  item: Json | undefined
}

const keyOf = ({ pk, sk }: Json) => ({ pk, sk })

/**
 * Returns the keys that a request writes, or undefined if it is no write of items.
 *
 * @throws if the late copy cannot follow the write
 */
export function keysWritten({ operation, input }: ApiRequest): WireKey[] | undefined {
  const table = input.TableName
  if (operation === 'PutItem') return [{ table, key: keyOf(input.Item) }]
  if (operation === 'DeleteItem') return [{ table, key: keyOf(input.Key) }]
  if (operation === 'UpdateItem') {
    if (input.ReturnValues !== 'ALL_NEW') throw new Error('an update must return the new item')
    return [{ table, key: keyOf(input.Key) }]
  }
  if (operation === 'BatchWriteItem') return batched(input.RequestItems)
  if (operation.startsWith('Transact') || operation.endsWith('Statement'))
    throw new Error(`${operation} is outside of what all stores can do`)
  return undefined
}

/** Returns what a successful write left behind. */
export function itemsWritten({ operation, input }: ApiRequest, answer: ApiAnswer): Written[] {
  const table = input.TableName
  if (operation === 'PutItem') return [{ table, key: keyOf(input.Item), item: input.Item }]
  if (operation === 'DeleteItem') return [{ table, key: keyOf(input.Key), item: undefined }]
  const output = JSON.parse(String(answer.body))
  if (operation === 'UpdateItem')
    return [{ table, key: keyOf(input.Key), item: present(output.Attributes) }]
  const undone = new Set(batched(output.UnprocessedItems ?? {}).map(textOf))
  return batched(input.RequestItems).filter((one) => !undone.has(textOf(one)))
}

/** Returns the text that is the same for two equal keys only. */
export const textOf = ({ table, key: { pk, sk } }: WireKey) => JSON.stringify([table, pk.S, sk.S])

function batched(requests: Record<string, Json[]>): Written[] {
  return Object.entries(requests).flatMap(([table, all]) =>
    all.map(({ PutRequest, DeleteRequest }) => ({
      table,
      key: keyOf(PutRequest?.Item ?? DeleteRequest.Key),
      item: PutRequest?.Item,
    })),
  )
}
