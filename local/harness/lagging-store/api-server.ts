import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ApiAnswer, type ApiRequest, errorAnswer } from './dynamo-api.ts'

/** A running server with DynamoDB's API. */
export interface ApiServer {
  endpoint: string
  close(): void
}

/** Starts a server on the loopback interface. What `answer` throws becomes a 400. */
export async function serveApi(
  answer: (asked: ApiRequest) => Promise<ApiAnswer>,
): Promise<ApiServer> {
  const server = createServer(async (incoming, response) => {
    const asked = await requestOf(incoming)
    const { status, headers, body } = await answer(asked).catch((error: Error) =>
      errorAnswer(400, 'ValidationException', `The server before the store: ${error.message}`),
    )
    const { 'transfer-encoding': _, connection: __, ...kept } = headers
    response.writeHead(status, { ...kept, 'content-length': body.length }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
