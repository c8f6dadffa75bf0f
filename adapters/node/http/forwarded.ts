import { once } from 'node:events'
import { internalError, notFound } from '../../../functions/core/errors.ts'
import type { HandlerContext } from '../../../functions/kit/event.ts'
import { handlerLoaders } from '../../../functions/kit/load-handler.ts'
import type { Routes } from '../../../functions/kit/manifest.ts'
import type { CarryOut } from '../../sidecar/agents/forwarded.ts'
import { answerEvent } from './answer-event.ts'
import { usualLimits } from './limits.ts'
import type { RequestLog } from './message/access-log.ts'

/** Requests that functions have passed on to this process. */
export interface ForwardedRequests {
  carryOut: CarryOut
  /**
   * Refuses further requests, and resolves when those in progress have ended, after 25 s, or when
   * `force` aborts.
   */
  close(force?: AbortSignal): Promise<void>
}

/**
 * Returns what carries out forwarded requests. Their credentials and input are checked here, as
 * those of every other request.
 */
export function forwardedRequests(
  routes: Routes,
  ports: object,
  log: RequestLog,
): ForwardedRequests {
  const lines = handlerLoaders(routes, ports)
  const running = new Set<Promise<unknown>>()
  let isClosed = false
  return {
    carryOut(event, gone) {
      const answer = async (_: unknown, context?: HandlerContext) => {
        if (isClosed) throw internalError('the service is shutting down', { reason: 'limit' })
        const load = lines.get(event.routeKey)
        if (!load) throw notFound('the service does not have the route of the function')
        const { handler } = await load()
        return handler(event, context)
      }
      const one = answerEvent(event, { gone }, answer, log)
      running.add(one)
      return one.finally(() => running.delete(one))
    },
    async close(force) {
      isClosed = true
      const limits = [AbortSignal.timeout(usualLimits.drain), ...(force ? [force] : [])]
      const late = AbortSignal.any(limits)
      if (!late.aborted) await Promise.race([Promise.allSettled(running), once(late, 'abort')])
    },
  }
}
