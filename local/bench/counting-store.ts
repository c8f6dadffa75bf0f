import type { Json } from '../../adapters/testing/json.ts'
import { type ApiServer, serveApi } from '../harness/lagging-store/api-server.ts'
import { type ApiRequest, send } from '../harness/lagging-store/dynamo-api.ts'

/** A store with DynamoDB's API that counts writes. */
export interface CountingStore extends ApiServer {
  /** Returns the writes by partition, `<table>: <partition key>`, since the last call. */
  take(): Map<string, number>
}

/** Starts a server in front of a store that counts the writes to each partition. */
export async function startCountingStore(behind: string): Promise<CountingStore> {
  let writes = new Map<string, number>()
  const server = await serveApi((asked) => {
    for (const partition of partitionsOf(asked)) {
      writes.set(partition, (writes.get(partition) ?? 0) + 1)
    }
    return send(behind, asked)
  })
  return {
    ...server,
    take() {
      const taken = writes
      writes = new Map()
      return taken
    },
  }
}

/** Returns the partition of each item that a request writes. A refused condition counts too. */
function partitionsOf({ operation, input }: ApiRequest): string[] {
  const { TableName: table } = input
  if (operation === 'PutItem') return [`${table}: ${input.Item.pk.S}`]
  if (operation === 'UpdateItem' || operation === 'DeleteItem')
    return [`${table}: ${input.Key.pk.S}`]
  if (operation !== 'BatchWriteItem') return []
  return Object.entries<Json[]>(input.RequestItems).flatMap(([name, all]) =>
    all.map(
      ({ PutRequest, DeleteRequest }) => `${name}: ${(PutRequest?.Item ?? DeleteRequest.Key).pk.S}`,
    ),
  )
}
