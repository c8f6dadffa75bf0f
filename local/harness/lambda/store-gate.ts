import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TableActions } from '../../../adapters/lambda/permissions.ts'

/** A way to the store for one function, which refuses what the role of the function forbids. */
export interface StoreGate {
  readonly endpoint: string
  /** The refused calls, such as `Scan logs`. */
  readonly refused: readonly string[]
  close(): void
}

/** Opens a gate to a store. `table` is the name of the table for items. */
export async function openStoreGate(
  endpoint: string,
  table: string,
  allowed: TableActions,
): Promise<StoreGate> {
  const refused: string[] = []
  const pass = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(incoming)
    const action = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? ''
    const call = JSON.parse(body.toString()) as StoreCall
    const wrong = tablesIn(call).flatMap((name) => {
      const place = name === table ? 'items' : name === `${table}-logs` ? 'logs' : undefined
      // Roles allow queries of one index only.
      const isAllowedIndex = place === 'items' && action === 'Query'
      if (call.IndexName !== undefined && !isAllowedIndex) return [`${action} index of ${name}`]
      return place && allowed[place].includes(action) ? [] : [`${action} ${place ?? name}`]
    })
    if (wrong.length > 0) {
      refused.push(...wrong)
      return refuse(response)
    }
    const { method, headers } = incoming
    const onward = request(endpoint, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  }
  const server = createServer((incoming, response) => {
    // The function was killed while it sent a request.
    pass(incoming, response).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface StoreCall {
  TableName?: string
  IndexName?: string
  RequestItems?: object
}

function tablesIn(call: StoreCall): string[] {
  return call.TableName === undefined ? Object.keys(call.RequestItems ?? {}) : [call.TableName]
}

function refuse(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
  response.end(
    JSON.stringify({
      __type: 'com.amazon.coral.service#AccessDeniedException',
      message: 'not authorized to perform this action',
    }),
  )
}
