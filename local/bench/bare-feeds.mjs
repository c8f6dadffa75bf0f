// The baseline for idle feeds: WebSockets of `ws` on a `node:http` server that does nothing else.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

const sockets = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: 64 * 1024,
})
createServer((_request, response) => response.end())
  .on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (ws) => ws.on('error', () => {}))
  })
  .listen(Number(process.env.PORT), '127.0.0.1')
