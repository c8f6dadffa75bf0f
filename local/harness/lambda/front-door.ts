import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { GatewayResponse } from '../../../adapters/lambda/response.ts'
import { gatewayEvent, gatewayRoute } from './gateway-event.ts'
import { type Ended, payloadMax } from './runtime-api.ts'

/** An HTTP API in front of functions. */
export interface FrontDoor {
  readonly url: string
  close(): void
}

/** Starts an HTTP API. `functions` has the function of each route key, such as `GET /a/{b}`. */
export async function openFrontDoor(
  functions: ReadonlyMap<string, (event: string) => Promise<Ended>>,
): Promise<FrontDoor> {
  const routes = [...functions.keys()].map(gatewayRoute)
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(incoming)
    if (body.length > payloadMax) return message(response, 413, 'Request Entity Too Large')
    const event = gatewayEvent(incoming, body, routes)
    const call = event && functions.get(event.routeKey)
    if (!call) return message(response, 404, 'Not Found')
    const ended = await call(JSON.stringify(event))
    if ('error' in ended) return message(response, 500, 'Internal Server Error')
    write(response, JSON.parse(ended.response))
  }
  const server = createServer((incoming, response) => {
    // The client went away while it sent a request.
    serve(incoming, response).catch(() => response.destroy())
  })
  // As long as the gateway's. A client that is busy meanwhile would use a connection that ends.
  server.keepAliveTimeout = 75_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Answers in the gateway's own form. */
function message(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ message: text }))
}

function write(response: ServerResponse, given: GatewayResponse): void {
  for (const [name, value] of Object.entries(given.headers)) response.setHeader(name, value)
  if (given.cookies) response.setHeader('set-cookie', given.cookies)
  response.statusCode = given.statusCode
  response.end(Buffer.from(given.body, given.isBase64Encoded ? 'base64' : 'utf8'))
}
