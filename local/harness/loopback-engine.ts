import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Handles one call. Returns undefined for a call it does not handle. The path has no version. */
export type LoopbackAnswer = (
  call: { method: string; path: string; url: URL },
  response: ServerResponse,
  request: IncomingMessage,
) => unknown

/**
 * An HTTP server that stands in for an Engine, for what a real one rarely does: errors, broken
 * connections, no response.
 */
export interface LoopbackEngine {
  transport: { host: string; port: number }
  /** `METHOD path?query` of every call, except `/version` and `/events`. */
  calls: string[]
}

/**
 * Starts an Engine with API 1.41 by default. Events are sent only by the test. Closes at the end of
 * the test.
 */
export async function loopbackEngine(
  answer: LoopbackAnswer,
  version: { ApiVersion: string } = { ApiVersion: '1.41' },
): Promise<LoopbackEngine> {
  const calls: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://engine')
    const path = url.pathname.replace(/^\/v\d+\.\d+/, '')
    if (path === '/version') return json(response, 200, { Arch: 'amd64', ...version })
    const events = path === '/events'
    if (!events) calls.push(`${request.method} ${request.url}`)
    const call = { method: request.method ?? '', path, url }
    if (answer(call, response, request) !== undefined) return
    if (events) response.flushHeaders()
    else json(response, 404, { message: `page not found: ${path}` })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { transport: { host: '127.0.0.1', port }, calls }
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  return true
}
