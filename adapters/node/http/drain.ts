import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { started } from '../../../functions/core/promises.ts'
import type { Log } from '../../../functions/core/runtime.ts'
import type { Exchange } from './exchange.ts'
import type { Limits } from './limits.ts'

/** Whether a server is ending, and when it will have ended. */
export interface DrainState {
  closed?: Promise<void>
}

interface Draining {
  server: Server
  open: ReadonlySet<Exchange>
  sockets: ReadonlySet<Socket>
  /** `closed` from the first call on. */
  state: DrainState
  limits: Limits
  log: Log
}

/**
 * Ends a server without losing a request: new connections are refused, requests that are under way or already sent are
 * answered with `Connection: close`. What is left when the time is over, or when `force` fires, is cut.
 */
export async function drain(parts: Draining, force?: AbortSignal): Promise<void> {
  const { open, sockets, state, limits, log } = parts
  const cut = () => {
    if (open.size > 0) log.warn('requests were cut', { count: open.size })
    for (const socket of sockets) socket.destroy()
  }
  state.closed ??= started(stopAccepting(parts))
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
      // Http's own, which here has nothing left to do but to end its timer.
      server.close()
      resolve()
    })
    // Not http's own, which ends idle connections at once: a request may be on its way over one.
    NetServer.prototype.close.call(server)
  })
}

/**
 * Connections that the kernel took and nobody has accepted yet would be reset. Each turn of the loop accepts one, so turns
 * are taken until one has accepted none; not for longer than `grace` milliseconds, as others may come all the time.
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
