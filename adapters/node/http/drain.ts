import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../../../functions/core/ports.ts'
import type { Exchange } from './exchange.ts'
import type { Limits } from './limits.ts'

interface Draining {
  server: Server
  open: ReadonlySet<Exchange>
  sockets: ReadonlySet<Socket>
  state: { draining: boolean }
  limits: Limits
  log: Log
}

/**
 * Ends a server without losing a request: new connections are refused, requests that are under way or already sent are
 * answered with `Connection: close`. What is left when the time is over, or when `force` fires, is cut.
 */
export async function drain(parts: Draining, force?: AbortSignal): Promise<void> {
  const { server, open, sockets, state, limits, log } = parts
  const closed = new Promise<void>((resolve) => {
    if (sockets.size === 0 && !server.listening) resolve()
    server.once('close', resolve)
  })
  if (!state.draining) {
    state.draining = true
    for (const { outgoing } of open) outgoing.shouldKeepAlive = false
    // Not the method of http, which ends idle connections at once: a request may be on its way over one.
    NetServer.prototype.close.call(server)
  }
  const grace = wait(limits.grace, undefined, { signal: force }).then(() => {
    server.closeIdleConnections()
  })
  const late = AbortSignal.timeout(limits.drain)
  const cut = AbortSignal.any(force ? [force, late] : [late])
  const cutting = () => {
    if (open.size > 0) log.warn('requests were cut', { count: open.size })
    for (const socket of sockets) socket.destroy()
  }
  if (cut.aborted) cutting()
  cut.addEventListener('abort', cutting, { once: true })
  await Promise.all([closed, grace.catch(() => {})])
  cut.removeEventListener('abort', cutting)
}
