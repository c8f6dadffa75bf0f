import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type Duplex, finished } from 'node:stream'
import {
  failureReason,
  internalError,
  type Reason,
  reasonNames,
} from '../../../functions/core/errors.ts'
import { ignoreResult } from '../../../functions/core/promises.ts'
import { agentProtocol } from '../../../functions/core/records/agent-protocol.ts'
import { type Reachable, reachables } from './connection.ts'
import type { AgentHub } from './hub.ts'
import type { ServerIdentity } from './listener.ts'
import { type PortLimits, portLimits } from './port-limits.ts'
import { forwardPath } from './serve-forwarded.ts'

/**
 * Lets other processes of the service reach the agents of this one. The server proves itself with
 * the authority's certificate, the client with a shared secret. `CONNECT <host id>` becomes a byte
 * stream to that host's Docker socket, or to the target in the header `x-reach`; the target `alive`
 * only asks the agent for a sign of life. `POST /requests` has a request for the API as its body.
 */
export interface InternalListener {
  readonly port: number
  close(): Promise<void>
}

const dialTime = 5_000
/** Says why a connection to a host failed. */
const reasonHeader = 'x-error-reason'
/** Milliseconds of idle time before TCP keep-alive probes a connection between processes. */
const keepAlive = 10_000

/**
 * Takes a request for the API from a process that has proved itself. Without it, such requests get
 * a 404.
 */
export type OnRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** Serves the agents of this process to the other processes. */
export async function listenForPeers(options: {
  identity: ServerIdentity
  secret: string
  port: number
  host?: string
  hub: Pick<AgentHub, 'find'>
  onRequest?: OnRequest | undefined
  limits?: PortLimits
}): Promise<InternalListener> {
  const { identity, hub, onRequest, limits = portLimits } = options
  const { key, certificate: cert } = identity
  // Half-open: otherwise the end of one direction would end the other one too.
  const tls = { key, cert, minVersion: 'TLSv1.3', allowHalfOpen: true } as const
  const isPeer = ({ headers }: IncomingMessage) =>
    sameSecret(headers.authorization ?? '', `Bearer ${options.secret}`)
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, url } = incoming
    if (method !== 'POST' || url !== forwardPath || !onRequest) outgoing.writeHead(404).end()
    else if (!isPeer(incoming)) outgoing.writeHead(401).end('the secret is wrong')
    else onRequest(incoming, outgoing)
  }
  const times = {
    handshakeTimeout: limits.handshake,
    headersTimeout: limits.headers,
    connectionsCheckingInterval: limits.check,
  }
  const server = createServer({ ...tls, ...times }, answer)
  server.on('checkContinue', answer)
  server.maxConnections = limits.connections
  // Processes open a connection for each request. Without this, a stranger whose request was
  // refused could keep sending its body.
  server.maxRequestsPerSocket = 1
  // Includes sockets in their handshake: the listener does not close before they do.
  const sockets = new Set<Duplex>()
  const keep = (socket: Duplex) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    keep(socket)
  })
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {})
    socket.setKeepAlive(true, keepAlive)
    keep(socket)
  })
  const connectHost = async (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { headers, url = '' } = incoming
    if (!isPeer(incoming)) return refuse(socket, 401, 'the secret is wrong')
    const connection = hub.find(url)
    if (!connection) return refuse(socket, 404, 'its agent is offline')
    if (headers['x-reach'] === 'alive') {
      if (!(await connection.isAlive())) return refuse(socket, 404, 'its agent is offline')
      return void socket.end('HTTP/1.1 200 OK\r\n\r\n')
    }
    try {
      const stream = await connection.open(reachables.find((one) => one === headers['x-reach']))
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      if (head.length > 0) socket.unshift(head)
      join(socket, stream)
    } catch (error) {
      refuse(socket, 502, (error as Error).message, failureReason(error))
    }
  }
  server.on('connect', (...given) => ignoreResult(connectHost(...given)))
  await new Promise<void>((resolve, reject) => {
    // Never removed: an error after the start concerns one connection that could not be accepted.
    server.on('error', reject)
    server.listen({ port: options.port, host: options.host }, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** What a process needs to dial another one: the authority (PEM) and the shared secret. */
export interface PeerSecrets {
  ca: string
  secret: string
}

/** Returns the options of a request to the process at `address`, `host:port`. */
export function peerOptions(address: string, { ca, secret }: PeerSecrets) {
  const { hostname, port } = new URL(`https://${address}`)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    // A connection of its own: one that is kept may have been lost unnoticed.
    agent: false,
    ca,
    servername: agentProtocol.serverName,
    minVersion: 'TLSv1.3',
    headers: { authorization: `Bearer ${secret}` },
  } as const
}

/** Returns whether the agent of a host, connected to the process at `address`, is alive. */
export const isAliveAtPeer = (address: string, hostId: string, secrets: PeerSecrets) =>
  dialPeer(address, hostId, { ...secrets, what: 'alive' }).then(
    (socket) => {
      socket.destroy()
      return true
    },
    () => false,
  )

/**
 * Opens a byte stream to the host's Docker socket, or to another target there, through the process
 * at `address` (`host:port`) that the host's agent is connected to.
 */
export function dialPeer(
  address: string,
  hostId: string,
  { what = 'docker', ...secrets }: PeerSecrets & { what?: Reachable | 'alive' },
): Promise<Socket> {
  const peer = peerOptions(address, secrets)
  return new Promise((resolve, reject) => {
    const call = request({
      ...peer,
      method: 'CONNECT',
      path: hostId,
      headers: { ...peer.headers, 'x-reach': what },
      timeout: dialTime,
    })
    const fail = (cause?: unknown) =>
      reject(
        internalError('the process that has its agent does not respond', {
          reason: 'host-offline',
          cause,
        }),
      )
    call.once('timeout', () => call.destroy(new Error('no response')))
    call.once('error', fail)
    call.once('response', () => fail())
    call.once('connect', ({ statusCode, statusMessage, headers }, socket) => {
      socket.on('error', () => {})
      if (statusCode === 200) {
        socket.setTimeout(0)
        socket.setNoDelay(true)
        socket.setKeepAlive(true, keepAlive)
        return resolve(socket)
      }
      socket.destroy()
      if (statusCode === 401) fail(new Error(statusMessage))
      else {
        const sent = headers[reasonHeader]
        const reason = reasonNames.find((known) => known === sent) ?? 'host-offline'
        reject(internalError(statusMessage ?? 'its agent is offline', { reason }))
      }
    })
    call.end()
  })
}

function join(left: Duplex, right: Duplex): void {
  left.pipe(right)
  right.pipe(left)
  // Only after an error: on a clean end the pipe has ended the other side, which may still have
  // data to send.
  finished(left, (error) => error && right.destroy())
  finished(right, (error) => error && left.destroy())
}

/** Answers and closes the connection: the other side could keep its half open for ever. */
function refuse(socket: Duplex, status: number, message: string, reason?: Reason): void {
  const text = message.replace(/[^ -~]/g, ' ')
  const header = reason === undefined ? '' : `${reasonHeader}: ${reason}\r\n`
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\n${header}Connection: close\r\nContent-Length: 0\r\n\r\n`,
    () => socket.destroy(),
  )
}

function sameSecret(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}
