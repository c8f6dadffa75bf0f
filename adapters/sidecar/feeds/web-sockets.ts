import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import { broken, invalid } from '../../../functions/core/errors.ts'
import type { Clock } from '../../../functions/core/runtime.ts'
import type { FeedLimits } from './limits.ts'

/** Who is told what comes on a socket. */
export interface SocketOwner {
  received(data: Buffer, isBinary: boolean): void
  heard(): void
  closed(code: number): void
}

/** A WebSocket with one listener for all it has to tell: a table of listeners would be a tenth of what an idle one weighs. */
export class FeedSocket extends WebSocket {
  owner: SocketOwner | undefined

  override emit(event: string | symbol, ...given: unknown[]): boolean {
    if (event === 'message') this.owner?.received(given[0] as Buffer, given[1] as boolean)
    else if (event === 'pong') this.owner?.heard()
    else if (event === 'close') this.owner?.closed(given[0] as number)
    // Errors too: each is followed by the close.
    return true
  }
}

/** With what the types do not know yet. */
type Options = ServerOptions &
  Record<'maxFragments' | 'maxPendingAutoPongs' | 'closeTimeout', number>

/** Makes WebSockets of sockets. Nothing is compressed: a client could make us hold a window for each direction. */
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
    /** Throws a `Failure` 400 for an offer that is none, and a 500 when the client has gone. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, id: string): FeedSocket {
      requestId = id
      problem = undefined
      let made: FeedSocket | undefined
      server.handleUpgrade(request, socket, head, (ws) => {
        made = ws as FeedSocket
      })
      if (problem) throw invalid('the upgrade is not one to a WebSocket')
      if (!made) throw broken('the client has gone')
      return made
    },
  }
}
