import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { notFound } from '../../../functions/core/errors.ts'
import { ignoreResult } from '../../../functions/core/promises.ts'
import { Semaphore } from '../../../functions/core/semaphore.ts'
import type { HandlerContext } from '../../../functions/kit/event.ts'
import { handlerLoaders } from '../../../functions/kit/load-handler.ts'
import type { Routes } from '../../../functions/kit/manifest.ts'
import { type CarryOut, serveForwarded } from '../../sidecar/agents/serve-forwarded.ts'
import { answerEvent } from './answer-event.ts'
import { usualLimits } from './limits.ts'
import type { RequestLog } from './message/access-log.ts'
import { announcedBytes } from './message/body.ts'

/** Requests that cloud functions pass on to this process. */
export interface ForwardedRequests {
  /** Takes a request from a function that has proved itself. */
  take(incoming: IncomingMessage, outgoing: ServerResponse): void
  /**
   * Refuses further requests, and resolves when those in progress have their responses, after 25 s,
   * or when `force` aborts.
   */
  close(force?: AbortSignal): Promise<void>
}

/**
 * Returns what carries out forwarded requests, of the routes that need a service. Their credentials
 * and input are checked here, as those of every other request.
 */
export function forwardedRequests(
  routes: Routes,
  ports: object,
  log: RequestLog,
): ForwardedRequests {
  const carryOut = carrier(routes, ports, log)
  const turns = new Semaphore(usualLimits.largeBodies)
  const running = new Set<Promise<void>>()
  let isClosed = false
  return {
    take(incoming, outgoing) {
      // The function then treats the service as not reached.
      if (isClosed) return void outgoing.writeHead(503).end('the service is shutting down')
      const work = () => serveForwarded(incoming, outgoing, carryOut)
      // Few large bodies are in memory.
      const isLarge = announcedBytes(incoming) > usualLimits.bodyBytes
      const one = isLarge ? turns.run(work) : work()
      running.add(one)
      ignoreResult(one.finally(() => running.delete(one)))
    },
    async close(force) {
      isClosed = true
      const limits = [AbortSignal.timeout(usualLimits.drain), ...(force ? [force] : [])]
      const late = AbortSignal.any(limits)
      if (!late.aborted) await Promise.race([Promise.allSettled(running), once(late, 'abort')])
    },
  }
}

/** Returns what carries out the requests of routes that need a service, and no others. */
export function carrier(routes: Routes, ports: object, log: RequestLog): CarryOut {
  const lines = handlerLoaders(routes, ports)
  return (event, gone) => {
    const answer = async (_: unknown, context?: HandlerContext) => {
      const { facts, handler } = (await lines.get(event.routeKey)?.()) ?? {}
      if (!facts?.atService || !handler) {
        throw notFound('the service does not carry out this route for functions')
      }
      return handler(event, context)
    }
    return answerEvent(event, { gone }, answer, log)
  }
}
