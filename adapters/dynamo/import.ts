import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { ScanCommand } from '@aws-sdk/client-dynamodb'
import type { ItemChunk } from '../../functions/core/backups/system-parts.ts'
import { unprocessable } from '../../functions/core/errors.ts'
import { batchPut } from './batch.ts'
import { logsOf, type StoreClient } from './client.ts'

type WireItem = Record<string, AttributeValue>

/** Returns whether both tables are empty. They must exist. */
export async function isStoreEmpty(client: StoreClient): Promise<boolean> {
  for (const one of [client, logsOf(client)]) {
    const page = await one.send((dynamo, options) =>
      dynamo.send(
        new ScanCommand({ TableName: one.table, ConsistentRead: true, Limit: 1 }),
        options,
      ),
    )
    if ((page.Items ?? []).length > 0) return false
  }
  return true
}

/**
 * Returns the items in a chunk of `exportItems`.
 *
 * @throws 422 if the chunk contains anything else
 */
export function readItems({ lines }: Pick<ItemChunk, 'lines'>): WireItem[] {
  const texts = Buffer.from(lines).toString().split('\n')
  if (texts.pop() !== '') throw notItems()
  return texts.map((line) => {
    try {
      const { Item } = JSON.parse(line, binary) as { Item: WireItem }
      if (typeof Item?.pk?.S === 'string' && typeof Item.sk?.S === 'string') return Item
    } catch {
      // The error is thrown below.
    }
    throw notItems()
  })
}

/** Writes the items of a chunk, replacing those with the same keys. */
export async function importItems(client: StoreClient, chunk: ItemChunk): Promise<void> {
  await batchPut(chunk.table === 'logs' ? logsOf(client) : client, readItems(chunk))
}

function binary(key: string, value: unknown): unknown {
  return key === 'B' && typeof value === 'string'
    ? new Uint8Array(Buffer.from(value, 'base64'))
    : value
}

const notItems = () => unprocessable('the archive of the service holds items that are none')
