import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Failure, notFound, type Reason } from '../../../functions/core/errors.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { HandlerContext } from '../../../functions/kit/event.ts'
import { reportFailure } from '../../../functions/kit/failures.ts'
import { withWork } from '../process/work-context.ts'
import type { Limits } from './limits.ts'
import { logRequest } from './message/access-log.ts'
import { answerRaw } from './message/raw-answer.ts'
import { requestIdOf } from './message/request-id.ts'
import { refusalOf, slashRefusal, type Target, targetOf } from './message/target.ts'
import { unexpectedFailure } from './unexpected-failure.ts'

/** A request to become a WebSocket. Exactly one of `refuse` and `accept` is called. */
export interface Upgrade {
  requestId: string
  target: Target
  /** Sends an error response and closes the connection. */
  refuse(failure: Failure): void
  /**
   * Marks the connection as the caller's, with the feed's route and the user's name. Returns a
   * function to call once when the connection is over, which writes the log line.
   */
  accept(route: string, user?: string): (close: UpgradeClose) => void
}

/**
 * How a connection ended: its close code, the bytes sent on it, and the error behind a 1011 with
 * its reason.
 */
export interface UpgradeClose {
  code: number
  bytes: number
  error?: unknown
  reason?: Reason | undefined
}

/**
 * Takes over a connection or refuses it. What it throws becomes the response, as with a handler.
 */
export type OnUpgrade = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  upgrade: Upgrade,
) => void | Promise<void>

const ignore = () => {}

/** Passes an upgrade request to the feeds, or refuses it. */
export async function serveUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { log, limits, onUpgrade }: { log: Log; limits: Limits; onUpgrade?: OnUpgrade },
): Promise<void> {
  socket.on('error', ignore)
  const upgrade = upgradeOf(request, socket, log, limits)
  try {
    const refusal = refusalOf(request, upgrade.target) ?? slashRefusal(upgrade.target)
    if (refusal) throw refusal
    if (!onUpgrade) throw notFound('this process serves no feeds: its role is api')
    await withWork({ requestId: upgrade.requestId }, () =>
      onUpgrade(request, socket, head, upgrade),
    )
  } catch (error) {
    upgrade.refuse(error instanceof Failure ? error : unexpectedFailure(error))
  }
}

/** Returns the response and log line of a request whose connection is no longer HTTP's. */
export function upgradeOf(
  request: IncomingMessage,
  socket: Duplex,
  log: Log,
  limits: Limits,
): Upgrade {
  const startedAt = performance.now()
  // Copied into a flat string, because a new one is a chain of parts and this one lives as long as
  // the connection.
  const id = Buffer.from(requestIdOf(request)).toString()
  const target = targetOf(request.url ?? '/')
  // Do not keep the request: a connection can last for days.
  const method = request.method ?? null
  let over = false
  const end = (facts: {
    status: number | null
    route: string | null
    user?: string
    bytes: number
    error?: unknown
    reason?: Reason | undefined
    detail?: string | undefined
    closeCode?: number
  }) => {
    over = true
    const { user, error } = facts
    logRequest(log, {
      ...facts,
      id,
      method,
      path: target.path,
      startedAt,
      user,
      error,
    })
  }
  return {
    requestId: id,
    target,
    refuse(failure) {
      if (over) return
      const bytes = socket.writable ? answerRaw(socket, id, failure, limits.linger) : 0
      const context: HandlerContext = {}
      reportFailure(failure, context)
      const { error, reason, detail } = context
      const status = socket.destroyed ? null : failure.status
      end({ status, route: null, bytes, error, reason, detail })
    },
    accept(route, user) {
      over = true
      socket.off('error', ignore)
      return ({ code, bytes, error, reason }) =>
        end({ status: 101, route, user, bytes, error, reason, closeCode: code })
    },
  }
}

/** Returns whether it is the only upgrade that the service supports. */
export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Returns the headers of a request without its upgrade offer (RFC 9110, 7.8). They are put back
 * onto the socket, so that a request that offers another protocol, as HTTP/2 clients do, is
 * answered as a normal one.
 */
export function withoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (/^(?:upgrade|connection|http2-settings)$/i.test(name)) continue
    lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
