import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../harness/json.ts'
import { type ApiRequest, send } from '../harness/lagging-store/dynamo-api.ts'

/** A store with DynamoDB's API that counts writes. */
export interface CountingStore {
  endpoint: string
  /** Returns the writes by partition, `<table>: <partition key>`, since the last call. */
  take(): Map<string, number>
  close(): void
}

/** Starts a server in front of a store that counts the writes to each partition. */
export async function startCountingStore(behind: string): Promise<CountingStore> {
  let writes = new Map<string, number>()
  const server = createServer(async (incoming, response) => {
    const asked = await requestOf(incoming)
    for (const partition of partitionsOf(asked)) {
      writes.set(partition, (writes.get(partition) ?? 0) + 1)
    }
    const { status, headers, body } = await send(behind, asked)
    const { 'transfer-encoding': _, connection: __, ...kept } = headers
    response.writeHead(status, { ...kept, 'content-length': body.length }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = writes
      writes = new Map()
      return taken
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function requestOf(incoming: IncomingMessage): Promise<ApiRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const { headers } = incoming
  const [, operation = ''] = String(headers['x-amz-target']).split('.')
  return { headers, operation, input: JSON.parse(String(Buffer.concat(chunks)) || '{}') }
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
