import { once } from 'node:events'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http'
import { createSecureServer, type Http2ServerRequest } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { serverCertificate } from './server-certificate.ts'

/** A reverse proxy on the loopback interface that terminates TLS. */
export interface TlsProxy {
  readonly port: number
  close(): Promise<void>
}

/** Returns the headers with which a proxy describes its client, and the request's `Host`. */
export type Forwarding = (client: { host: string; address: string }) => OutgoingHttpHeaders

/** What Caddy sends without further settings. */
export const asCaddy: Forwarding = ({ host, address }) => ({
  host,
  'x-forwarded-for': address,
  'x-forwarded-proto': 'https',
  'x-forwarded-host': host,
})

/** What nginx sends with the fewest settings that guides have: its `$host` has no port. */
export const asNginx: Forwarding = ({ host, address }) => ({
  host: host.replace(/:\d+$/, ''),
  'x-forwarded-for': address,
})

/**
 * Starts a proxy to a port of the loopback interface. No client trusts its certificate. Like Caddy
 * and nginx it speaks HTTP/2 to browsers and HTTP/1.1 to the service, and passes WebSockets.
 */
export async function startTlsProxy(to: number, forwarding: Forwarding): Promise<TlsProxy> {
  const server = createSecureServer({ ...(await serverCertificate()), allowHTTP1: true })
  const open = new Set<Duplex>()
  server.on('secureConnection', (socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => open.delete(socket))
  })
  const send = (from: IncomingMessage | Http2ServerRequest, more: OutgoingHttpHeaders = {}) => {
    const { method, url: path, socket } = from
    const host = String(from.headers[':authority'] ?? from.headers.host)
    const client = forwarding({ host, address: socket.remoteAddress ?? '' })
    const headers = { ...endToEnd(from.headers), ...client, ...more }
    return request({ host: '127.0.0.1', port: to, method, path, headers })
  }
  server.on('request', (incoming, outgoing) => {
    const sent = send(incoming)
    incoming.pipe(sent)
    outgoing.once('close', () => sent.destroy())
    sent.once('error', () => outgoing.destroy())
    sent.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers))
      answer.pipe(outgoing.stream ?? outgoing)
    })
  })
  server.on('upgrade', (incoming: IncomingMessage, near: Duplex, head: Buffer) => {
    const sent = send(incoming, { connection: 'upgrade', upgrade: 'websocket' }).end()
    near.once('close', () => sent.destroy())
    sent.once('error', () => near.destroy())
    sent.once('response', (answer) => {
      near.write(headOf(answer))
      answer.pipe(near)
    })
    sent.once('upgrade', (answer, far: Duplex, first: Buffer) => {
      near.write(headOf(answer))
      near.write(first)
      far.write(head)
      for (const socket of [near, far]) socket.on('error', () => socket.destroy())
      near.once('close', () => far.destroy())
      far.once('close', () => near.destroy())
      near.pipe(far).pipe(near)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** Returns the headers that a proxy passes on: those of HTTP/2 and of one connection are not. */
function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'host']
  const passed = Object.entries(headers).filter(
    ([name]) => !name.startsWith(':') && !ofConnection.includes(name),
  )
  return Object.fromEntries(passed)
}

/** Returns the head of a response as it was received. */
function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [],
  )
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n')
}
