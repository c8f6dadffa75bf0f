import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import { broken, invalid } from '../../../functions/core/errors.ts'
import type { FeedLimits } from './limits.ts'

/** With what the types do not know yet. */
type Options = ServerOptions &
  Record<'maxFragments' | 'maxPendingAutoPongs' | 'closeTimeout', number>

/** Makes WebSockets of sockets. Nothing is compressed: a client could make us hold a window for each direction. */
export function webSockets(limits: FeedLimits) {
  const options: Options = {
    noServer: true,
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
  server.on('headers', (headers) => headers.push(`X-Request-Id: ${requestId}`))
  server.on('wsClientError', (error) => {
    problem = error
  })
  return {
    /** Throws a `Failure` 400 for an offer that is none, and a 500 when the client has gone. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, id: string): WebSocket {
      requestId = id
      problem = undefined
      let made: WebSocket | undefined
      server.handleUpgrade(request, socket, head, (ws) => {
        made = ws
      })
      if (problem) throw invalid('the upgrade is not one to a WebSocket')
      if (!made) throw broken('the client has gone')
      return made
    },
  }
}
