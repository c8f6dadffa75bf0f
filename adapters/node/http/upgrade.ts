import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Failure, notFound } from '../../../functions/core/errors.ts'
import type { Log } from '../../../functions/core/runtime.ts'
import { withWork } from '../work-context.ts'
import { logRequest } from './access-log.ts'
import type { Limits } from './limits.ts'
import { failedToAnswer } from './mount.ts'
import { answerRaw } from './raw-answer.ts'
import { requestIdOf } from './request-id.ts'
import { refusalOf, slashRefusal, type Target, targetOf } from './target.ts'

/** A request to become a WebSocket, before it is one. Exactly one of `refuse` and `accept` is called. */
export interface Upgrade {
  requestId: string
  target: Target
  /** Answers with an error and closes the connection. */
  refuse(failure: Failure): void
  /**
   * Says that the connection is the caller's now: the feed's route and the user's name. The answer is to be called once,
   * when the connection is over: the log line is written then.
   */
  accept(route: string, user?: string): (close: UpgradeClose) => void
}

/** How a connection ended: its close code, the bytes that were sent on it, the error behind a 1011. */
export interface UpgradeClose {
  code: number
  bytes: number
  error?: unknown
}

/** Takes over a connection or refuses it. What it throws is answered like a handler's error. */
export type OnUpgrade = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  upgrade: Upgrade,
) => void | Promise<void>

const ignore = () => {}

/** Hands a request to become a WebSocket to the feeds, or refuses it. */
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
    upgrade.refuse(error instanceof Failure ? error : failedToAnswer(error))
  }
}

/** The one answer and log line of a request whose connection is no longer HTTP's. */
export function upgradeOf(
  request: IncomingMessage,
  socket: Duplex,
  log: Log,
  limits: Limits,
): Upgrade {
  const startedAt = performance.now()
  // In one piece, not as the chain of texts that a new one is made of: it stays for as long as the connection.
  const id = Buffer.from(requestIdOf(request)).toString()
  const target = targetOf(request.url ?? '/')
  // The request itself goes: a connection can last for days.
  const method = request.method ?? null
  let over = false
  const end = (facts: {
    status: number | null
    route: string | null
    user?: string
    bytes: number
    error?: unknown
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
      const error = failure.status === 500 ? (failure.cause ?? failure) : undefined
      end({ status: socket.destroyed ? null : failure.status, route: null, bytes, error })
    },
    accept(route, user) {
      over = true
      socket.off('error', ignore)
      return ({ code, bytes, error }) =>
        end({ status: 101, route, user, bytes, error, closeCode: code })
    },
  }
}

/** True for the one kind of upgrade that the service knows. */
export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * A request that offers another protocol, as HTTP/2 clients do, is answered as if it had not: its head is put back onto
 * the socket without the offer (RFC 9110, 7.8).
 */
export function withoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (/^(?:upgrade|connection|http2-settings)$/i.test(name)) continue
    lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
