import { Failure, internalError, internalFailure, notFound } from '../../functions/core/errors.ts'
import type { SourceReader } from '../../functions/core/net/source.ts'
import type { Log } from '../../functions/core/ports/log.ts'
import type { AuthenticationPorts } from '../../functions/kit/authenticate.ts'
import type { EndpointFacts } from '../../functions/kit/endpoint-facts.ts'
import type { Handler, HandlerContext, HttpEvent, HttpResponse } from '../../functions/kit/event.ts'
import { failureResponse, reportFailure } from '../../functions/kit/failures.ts'
import { type Route, type Routes, routesOf } from '../../functions/kit/manifest.ts'
import { logRequest } from '../node/http/message/access-log.ts'
import { withWork } from '../node/process/work-context.ts'
import { type GatewayEvent, toEvent } from './event.ts'
import { parameterRefusal } from './path-parameters.ts'
import { type GatewayResponse, toGatewayResponse } from './response.ts'

export interface FunctionOptions {
  /** The routes that this function serves. */
  routes: Routes
  prefix: string
  /** All ports that endpoints use. */
  ports: object
  log: Log
  /** Returns the client address of a request from that of the gateway's client. */
  sourceOf: SourceReader
  /** Resolves when nothing that a request has started is running. */
  settled(): Promise<void>
}

/** What Lambda says about a call. */
export interface CallContext {
  /** Returns the milliseconds until the process is killed. */
  getRemainingTimeInMillis(): number
}

/** Milliseconds before the process is killed in which a late request still gets a response. */
const reserve = 1000

/**
 * Returns the function for an HTTP API. It responds when the work that a request has started has
 * ended too, because the process is frozen after the response.
 */
export function gatewayHandler(options: FunctionOptions) {
  const { routes, prefix, ports, log, sourceOf, settled } = options
  const lines = new Map(
    routesOf(routes).map(({ method, path, load }) => [`${method} ${path}`, loadOnce(load, ports)]),
  )
  const answer = async (event: HttpEvent, context: HandlerContext): Promise<HttpResponse> => {
    const load = lines.get(event.routeKey)
    if (!load) throw notFound('this function does not serve the route')
    const { facts, handler } = await load()
    const refusal = parameterRefusal(event, facts)
    if (refusal) throw refusal
    return handler(event, context)
  }
  const answerInTime = async (
    event: HttpEvent,
    context: HandlerContext,
    signal: AbortSignal,
  ): Promise<HttpResponse> => {
    const work = async () => {
      const response = await answer(event, context)
      await settled()
      return response
    }
    try {
      return await Promise.race([work(), rejectOn(signal)])
    } catch (error) {
      const failure = error instanceof Failure ? error : internalFailure(error)
      reportFailure(failure, context)
      return failureResponse(failure, event.requestContext.requestId)
    }
  }
  return async (given: GatewayEvent, call: CallContext): Promise<GatewayResponse> => {
    const startedAt = performance.now()
    const event = toEvent(given, prefix)
    const { requestId, http } = event.requestContext
    http.sourceIp = sourceOf(http.sourceIp, event.headers['x-forwarded-for'])
    const gone = new AbortController()
    const context: HandlerContext = { gone: gone.signal }
    const end = endBefore(call.getRemainingTimeInMillis() - reserve, gone)
    const response = await withWork({ requestId }, () => answerInTime(event, context, gone.signal))
    end()
    logRequest(log, {
      id: requestId,
      method: http.method,
      route: event.routeKey,
      path: event.rawPath,
      status: response.statusCode,
      startedAt,
      user: context.user,
      bytes: Buffer.byteLength(response.body),
      error: context.error,
      reason: context.reason,
      detail: context.detail,
    })
    return toGatewayResponse(response)
  }
}

/** Returns a loader that makes the handler of an endpoint at its first call. */
function loadOnce(load: Route['load'], ports: object) {
  let loaded: { facts: EndpointFacts; handler: Handler } | undefined
  return async () => {
    if (loaded) return loaded
    const { default: endpoint } = await load()
    loaded = { facts: endpoint.facts, handler: endpoint.with(ports as AuthenticationPorts) }
    return loaded
  }
}

/** Aborts after `milliseconds`, unless the returned function is called before. */
function endBefore(milliseconds: number, gone: AbortController): () => void {
  const late = () =>
    gone.abort(internalError('the service did not respond in time', { reason: 'timeout' }))
  const timer = setTimeout(late, Math.max(0, milliseconds))
  return () => clearTimeout(timer)
}

/** Rejects with the reason of the signal when it aborts. */
const rejectOn = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
