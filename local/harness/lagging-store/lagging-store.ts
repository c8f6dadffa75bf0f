import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AnswerOptions, answerRequests } from './answer-requests.ts'
import { chancesOf } from './chances.ts'
import { type ApiRequest, errorAnswer } from './dynamo-api.ts'

/** How a store lags and fails. `seed` chooses among all that may happen. */
export type LaggingStoreOptions = Omit<AnswerOptions, 'chances'> & { seed: number }

/** A running store with DynamoDB's API. */
export interface LaggingStore {
  endpoint: string
  close(): Promise<void>
}

/**
 * Starts a server in front of DynamoDB Local that keeps DynamoDB's promises and no more:
 *
 * - Writes, their conditions and consistent reads are of the newest state.
 * - A query of the index sees a write up to `lagMax` later: each item as it is or as it was.
 * - So does a read without `ConsistentRead`, half of the time.
 * - Requests are throttled, fail, lose their answer or are slow, at the rates of `faults`.
 *
 * All writes to its tables have to pass through it.
 */
export async function startLaggingStore(options: LaggingStoreOptions): Promise<LaggingStore> {
  const { answer, close } = answerRequests({ ...options, chances: chancesOf(options.seed) })
  const server = createServer(async (incoming, response) => {
    const asked = await requestOf(incoming)
    const { status, headers, body } = await answer(asked).catch((error: Error) =>
      errorAnswer(400, 'ValidationException', `The lagging store: ${error.message}`),
    )
    const { 'transfer-encoding': _, connection: __, ...kept } = headers
    response.writeHead(status, { ...kept, 'content-length': body.length }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await close()
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
