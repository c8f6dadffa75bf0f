import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Failure, internalError } from '../../../functions/core/errors.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { HandlerContext, HttpResponse } from '../../../functions/kit/event.ts'
import { failureResponse, reportFailure } from '../../../functions/kit/failures.ts'
import type { Limits } from './limits.ts'
import { logRequest } from './message/access-log.ts'
import { hasBody } from './message/body.ts'
import { requestIdOf } from './message/request-id.ts'
import { type Target, targetOf } from './message/target.ts'

/** A response; a file of the browser UI is bytes. */
type Answer = Omit<HttpResponse, 'body'> & { body: string | Buffer }

/**
 * One request and its response. Any part of the listener may answer; there is exactly one response
 * and one log line.
 */
export class Exchange {
  readonly id: string
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly target: Target
  readonly context: HandlerContext = {}
  /** The route in the manifest, once it was found. */
  route: string | null = null
  /** True while a handler works: the log line waits for it. */
  working = false
  /** True if the client waits for 100 Continue before it sends the body (RFC 9110, 10.1.1). */
  asksFirst = false
  readonly #log: Log
  readonly #limits: Limits
  readonly #startedAt = performance.now()
  #bytes = 0
  #closed = false
  #logged = false

  /** Adds the exchange to `open` until its response is closed. */
  constructor(outgoing: ServerResponse, open: Set<Exchange>, log: Log, limits: Limits) {
    const incoming = outgoing.req
    this.incoming = incoming
    this.outgoing = outgoing
    this.id = requestIdOf(incoming)
    this.target = targetOf(incoming.url ?? '/')
    this.#log = log
    this.#limits = limits
    open.add(this)
    outgoing.on('close', () => {
      open.delete(this)
      this.#closed = true
      this.#finish()
    })
  }

  /** Sends 100 Continue if the client waits for it. */
  proceed(): void {
    if (this.asksFirst) this.outgoing.writeContinue()
  }

  /** Sends a response. Does nothing if there was one or the client has disconnected. */
  answer({ statusCode, headers, body }: Answer): void {
    const { outgoing, incoming } = this
    if (outgoing.headersSent || outgoing.destroyed) return
    const unread = !incoming.complete && hasBody(incoming)
    if (unread) outgoing.shouldKeepAlive = false
    if (statusCode !== 204 && statusCode !== 304) {
      this.#bytes = Buffer.byteLength(body)
      headers['Content-Length'] = String(this.#bytes)
    }
    outgoing.writeHead(statusCode, headers)
    if (unread) {
      if (body.length > 0) outgoing.write(body)
      this.#endAfterRest()
    } else {
      outgoing.end(body)
    }
    if (outgoing.writableLength > 0) incoming.socket.setTimeout(this.#limits.send)
  }

  /** Sends an error response. */
  refuse(failure: Failure): void {
    if (this.outgoing.headersSent || this.outgoing.destroyed) return
    reportFailure(failure, this.context)
    this.answer(failureResponse(failure, this.id))
  }

  /** Returns a signal that aborts if the client disconnects before it has the response. */
  gone(): AbortSignal {
    const { outgoing } = this
    const stop = new AbortController()
    outgoing.once('close', () => {
      if (!outgoing.writableFinished)
        stop.abort(
          internalError('the client disconnected before the response was complete', {
            reason: 'timeout',
          }),
        )
    })
    return stop.signal
  }

  /** Marks the handler as done, whatever became of the response. */
  worked(): void {
    this.working = false
    this.#finish()
  }

  /**
   * Reads and discards the rest of the body for a while: closing the connection while the client is
   * sending would discard the response.
   */
  #endAfterRest(): void {
    const { incoming, outgoing } = this
    const end = () => {
      clearTimeout(timer)
      if (!outgoing.writableEnded) outgoing.end()
    }
    const timer = setTimeout(end, this.#limits.linger)
    incoming.once('end', end).once('close', end).on('error', end)
    incoming.resume()
  }

  #finish(): void {
    if (!this.#closed || this.working || this.#logged) return
    this.#logged = true
    const { outgoing } = this
    logRequest(this.#log, {
      id: this.id,
      method: this.incoming.method ?? null,
      route: this.route,
      path: this.target.path,
      status: outgoing.headersSent ? outgoing.statusCode : null,
      startedAt: this.#startedAt,
      user: this.context.user,
      bytes: this.#bytes,
      error: this.context.error,
      reason: this.context.reason,
      detail: this.context.detail,
    })
  }
}
