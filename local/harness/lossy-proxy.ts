import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  request as requestOf,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** How a request is lost: before it arrives, or with all or half of its response. */
export type Loss = 'request' | 'response' | 'half of the response'

/** A request that the proxy received. */
export interface Sending {
  method: string
  path: string
  /** How many times exactly this request was sent, counted from 1. */
  count: number
}

/** An HTTP proxy on the loopback interface that loses requests and responses. */
export interface LossyProxy {
  url: string
  close(): Promise<void>
}

/**
 * Starts a proxy to a service. `lossOf` chooses what is lost of each request. A response is lost
 * only when the service has sent all of it.
 */
export async function startLossyProxy(
  service: string,
  lossOf: (sending: Sending) => Promise<Loss | undefined>,
): Promise<LossyProxy> {
  const counts = new Map<string, number>()
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request
    const body = await buffer(request)
    const same = fingerprint(method, url, headers['if-match'], headers['idempotency-key'], body)
    const count = (counts.get(same) ?? 0) + 1
    counts.set(same, count)
    const loss = await lossOf({ method, path: url, count })
    if (loss === 'request') return request.socket.resetAndDestroy()
    const answer = await forward(service, request, body)
    const content = await buffer(answer)
    const isLost = loss === 'response' || (loss && content.length < 2)
    if (isLost) return request.socket.resetAndDestroy()
    response.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
    if (!loss) return response.end(content)
    const half = content.subarray(0, content.length / 2)
    response.write(half, () => request.socket.destroy())
  }
  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.resetAndDestroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const fingerprint = (...parts: (string | Buffer | string[] | undefined)[]): string =>
  createHash('sha256')
    .update(JSON.stringify(parts.map(String)))
    .digest('hex')

async function forward(
  service: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  const sent = requestOf(new URL(url ?? '', service), { method, headers })
  const answered = once(sent, 'response')
  sent.end(body)
  const [answer] = await answered
  return answer
}
