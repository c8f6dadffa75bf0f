import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Log } from '../../../functions/core/ports/log.ts'
import { markHandled } from '../../../functions/core/promises.ts'
import type { Exchange } from './exchange.ts'
import type { Limits } from './limits.ts'

/** The state of a server that is shutting down. */
export interface DrainState {
  closed?: Promise<void>
}

interface Draining {
  server: Server
  open: ReadonlySet<Exchange>
  sockets: ReadonlySet<Socket>
  /** `closed` is set by the first call. */
  state: DrainState
  limits: Limits
  log: Log
}

/**
 * Shuts a server down without losing a request: new connections are refused, and requests in
 * progress or already sent are answered with `Connection: close`. After the timeout, or when
 * `force` aborts, the remaining connections are closed.
 */
export async function drain(parts: Draining, force?: AbortSignal): Promise<void> {
  const { open, sockets, state, limits, log } = parts
  const cut = () => {
    if (open.size > 0) log.warn('requests were dropped', { count: open.size })
    for (const socket of sockets) socket.destroy()
  }
  state.closed ??= markHandled(stopAccepting(parts))
  const late = setTimeout(cut, limits.drain)
  if (force?.aborted) cut()
  force?.addEventListener('abort', cut)
  await state.closed
  force?.removeEventListener('abort', cut)
  clearTimeout(late)
}

/** Resolves when the last connection has ended. */
async function stopAccepting({ server, open, limits }: Draining): Promise<void> {
  await acceptWaiting(server, limits.grace)
  for (const { outgoing } of open) outgoing.shouldKeepAlive = false
  const grace = setTimeout(() => server.closeIdleConnections(), limits.grace)
  await new Promise<void>((resolve) => {
    server.once('close', () => {
      clearTimeout(grace)
      // Node's own `close` only has to stop its timer now.
      server.close()
      resolve()
    })
    // The `close` of HTTP servers would end idle connections at once, though a request may be in
    // transit on one.
    NetServer.prototype.close.call(server)
  })
}

/**
 * Accepts the connections that are waiting in the kernel, which would otherwise be reset. Each turn
 * of the event loop accepts one, so it takes turns until none was accepted. It stops after `grace`
 * milliseconds, because new ones can keep arriving.
 */
async function acceptWaiting(server: Server, grace: number): Promise<void> {
  const end = performance.now() + grace
  let accepted = true
  const note = () => {
    accepted = true
  }
  server.on('connection', note)
  while (accepted && performance.now() <= end) {
    accepted = false
    await turn()
    await turn()
  }
  server.off('connection', note)
}
