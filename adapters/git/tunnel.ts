import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Dialer } from '../net/outbound.ts'
import type { Meter } from './meter.ts'

/** A proxy on the loopback interface that connects to one server, for one run of git. */
export interface Tunnel {
  /** With the credential, which holds for this proxy only. */
  url: string
  /** Why the last connection to the server failed, if it did. */
  failure(): unknown
  close(): void
}

/** Connections that one run of git may have open. */
const connectionsMax = 4

/**
 * Opens a proxy for CONNECT (RFC 9110, section 9.3.6). It dials by the outbound network policy,
 * refuses every other host and port, and counts what is received.
 */
export async function openTunnel(
  { host, port }: { host: string; port: number },
  dialer: Dialer,
  meter: Meter,
): Promise<Tunnel> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const password = randomBytes(24).toString('hex')
  const expected = Buffer.from(`Basic ${Buffer.from(`git:${password}`).toString('base64')}`)
  const open = new Set<Socket>()
  let failure: unknown
  const isOurs = ({ headers, url }: IncomingMessage) => {
    const given = Buffer.from(headers['proxy-authorization'] ?? '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
    return url?.toLowerCase() === authority
  }
  const server = createServer({ maxHeaderSize: 8192 }, (_request, response) => {
    response.writeHead(405).end()
  })
  server.maxConnections = connectionsMax
  server.on('connection', (socket) => keep(open, socket))
  server.on('connect', (request: IncomingMessage, client: Socket, first: Buffer) => {
    if (!isOurs(request)) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    dialer.tunnel(host, port, meter.signal).then(
      (upstream) => {
        keep(open, upstream)
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.write(first)
        pipeline(upstream, meter.counter(), client, () => {})
        pipeline(client, upstream, () => {})
      },
      (error) => {
        failure = error
        client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const close = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  meter.signal.addEventListener('abort', close, { once: true })
  return {
    url: `http://git:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    failure: () => failure,
    close() {
      meter.signal.removeEventListener('abort', close)
      close()
    },
  }
}

function keep(open: Set<Socket>, socket: Socket): void {
  open.add(socket)
  socket.on('error', () => socket.destroy())
  socket.once('close', () => open.delete(socket))
}
