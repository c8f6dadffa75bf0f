import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import { internalError, invalid } from '../../../functions/core/errors.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { FeedLimits } from './limits.ts'

/** Receives the events of a socket. */
export interface SocketOwner {
  received(data: Buffer, isBinary: boolean): void
  heard(): void
  /** The client broke the protocol, which this close code says. */
  broken(code: number): void
  closed(code: number): void
}

/**
 * A WebSocket that passes its events to one owner: a table of listeners would be a tenth of the
 * memory of an idle one.
 */
export class FeedSocket extends WebSocket {
  owner: SocketOwner | undefined

  override emit(event: string | symbol, ...given: unknown[]): boolean {
    if (event === 'message') this.owner?.received(given[0] as Buffer, given[1] as boolean)
    else if (event === 'pong') this.owner?.heard()
    else if (event === 'close') this.owner?.closed(given[0] as number)
    // Errors are ignored too: each is followed by the close.
    return true
  }

  /** Without a reason, `ws` closes the socket itself: the client broke the protocol. */
  override close(code?: number, reason?: string | Buffer): void {
    if (code !== undefined && reason === undefined) this.owner?.broken(code)
    super.close(code, reason)
  }
}

/** Adds options that the type definitions lack. */
type Options = ServerOptions &
  Record<'maxFragments' | 'maxPendingAutoPongs' | 'closeTimeout', number>

/**
 * Returns a function that turns sockets into WebSockets. Compression is off: with it, a client
 * could make the service hold a window for each direction.
 */
export function webSockets(limits: FeedLimits, clock: Clock) {
  const options: Options = {
    noServer: true,
    WebSocket: FeedSocket,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    maxFragments: 1024,
    maxPendingAutoPongs: 16,
    closeTimeout: limits.closing,
  }
  const server = new WebSocketServer(options)
  let requestId = ''
  let problem: Error | undefined
  server.on('headers', (headers) => {
    const date = new Date(clock.now()).toUTCString()
    headers.push(`X-Request-Id: ${requestId}`, `Date: ${date}`)
  })
  server.on('wsClientError', (error) => {
    problem = error
  })
  return {
    /**
     * Upgrades the socket to a WebSocket.
     *
     * @throws 400 if the request is not a valid upgrade, 500 if the client disconnected
     */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, id: string): FeedSocket {
      requestId = id
      problem = undefined
      let made: FeedSocket | undefined
      server.handleUpgrade(request, socket, head, (ws) => {
        made = ws as FeedSocket
      })
      if (problem) throw invalid('the upgrade is not to a WebSocket')
      if (!made) throw internalError('the client disconnected', { reason: 'timeout' })
      return made
    },
  }
}
