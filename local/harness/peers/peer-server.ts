import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request to a fake server. */
export interface PeerRequest {
  method: string
  url: URL
  headers: IncomingHttpHeaders
  body: string
}

/** A response of a fake server: JSON in `body`, or `text`. */
export interface PeerAnswer {
  status: number
  body?: unknown
  text?: string
  headers?: Record<string, string>
}

/** A fake server of another product on the loopback interface. */
export interface PeerServer {
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** Every request in order, as `GET /path?query`. */
  readonly asked: string[]
  /** What to send instead of the fixtures: `GET /path`, without a query → response. */
  readonly instead: Map<string, PeerAnswer>
  close(): Promise<void>
}

/** Starts a server that responds with what `answer` returns. An error in it becomes a 500. */
export async function startPeerServer(
  answer: (request: PeerRequest) => PeerAnswer,
): Promise<PeerServer> {
  const asked: string[] = []
  const instead = new Map<string, PeerAnswer>()
  const server = createServer((incoming, response) => {
    const { method = 'GET', headers } = incoming
    const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
    asked.push(`${method} ${url.pathname}${url.search}`)
    text(incoming)
      .then((body) => {
        const replaced = instead.get(`${method} ${url.pathname}`)
        const sent = replaced ?? answer({ method, url, headers, body })
        const type = sent.text === undefined ? 'application/json' : 'text/plain; charset=utf-8'
        response.writeHead(sent.status, { 'Content-Type': type, ...sent.headers })
        response.end(sent.text ?? JSON.stringify(sent.body ?? null))
      })
      .catch((error) => response.writeHead(500).end(String(error)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    instead,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Returns a response with a JSON body. */
export const ok = (body: unknown, headers: Record<string, string> = {}): PeerAnswer => ({
  status: 200,
  body,
  headers,
})

/**
 * Returns the response to a request whose response no public page shows. It is unlike any response
 * of the product, so that an importer cannot rely on a guess.
 */
export const noForm = (what: string): PeerAnswer => ({
  status: 501,
  text: `These fixtures do not have ${what}: no public page shows its form.`,
})

/** Returns one header of a request, or undefined. */
export function headerOf({ headers }: PeerRequest, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Returns the object that a JSON text is, or undefined if it is none. */
export function jsonObject(source: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(source)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
