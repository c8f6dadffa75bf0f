import { connect, type Socket } from 'node:net'
import { quantile } from './numbers.ts'

/** The result of a load. Latencies in milliseconds. */
export interface LoadResult {
  requests: number
  perSecond: number
  p50: number
  p99: number
}

export interface LoadOptions {
  port: number
  path: string
  headers?: Record<string, string>
  connections: number
  seconds: number
}

/**
 * Repeats the same GET on each of several persistent connections, always one request at a time.
 * Uses plain sockets and one prepared request, because on a small machine the client competes with
 * the server for the processor.
 *
 * @throws for a status other than 200
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const fields = { Host: 'localhost', ...options.headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = Buffer.from(`GET ${options.path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  const latencies: number[] = []
  const begin = performance.now()
  const end = begin + options.seconds * 1000
  await Promise.all(
    Array.from({ length: options.connections }, () => ask(options.port, request, end, latencies)),
  )
  return {
    requests: latencies.length,
    perSecond: (latencies.length * 1000) / (performance.now() - begin),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}

function ask(port: number, request: Buffer, end: number, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let sent = 0
    let missing = -1
    const send = () => {
      sent = performance.now()
      missing = -1
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('data', (chunk) => {
      if (missing < 0) {
        const answer = bodyLeft(chunk)
        if (answer === undefined) return void socket.destroy(new Error(chunk.toString('latin1')))
        missing = answer
      } else missing -= chunk.length
      if (missing > 0) return
      const now = performance.now()
      latencies.push(now - sent)
      if (now < end) send()
      else socket.end()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
}

/**
 * Returns the bytes of the body that follow the first chunk of a response, or undefined if it is
 * not a 200 with a Content-Length.
 */
function bodyLeft(chunk: Buffer): number | undefined {
  const headEnd = chunk.indexOf('\r\n\r\n')
  const head = chunk.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (headEnd < 0 || !head.startsWith('HTTP/1.1 200') || length === undefined) return undefined
  return Number(length) - (chunk.length - headEnd - 4)
}
