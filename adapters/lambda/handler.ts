import { Failure, internalError, notFound } from '../../functions/core/errors.ts'
import type { SourceReader } from '../../functions/core/net/source.ts'
import type { Log } from '../../functions/core/ports/log.ts'
import { type AuthenticationPorts, authenticate } from '../../functions/kit/authenticate.ts'
import { isTooLarge } from '../../functions/kit/body.ts'
import type { EndpointFacts } from '../../functions/kit/endpoint-facts.ts'
import type { HandlerContext, HttpEvent, HttpResponse } from '../../functions/kit/event.ts'
import { handlerLoaders } from '../../functions/kit/load-handler.ts'
import type { Routes } from '../../functions/kit/manifest.ts'
import { answerEvent } from '../node/http/answer-event.ts'
import type { Forward } from '../sidecar/agents/forward.ts'
import { type GatewayEvent, toEvent } from './event.ts'
import { parameterRefusal } from './path-parameters.ts'
import { type GatewayResponse, toGatewayResponse } from './response.ts'
import { withoutWait, withShortWait } from './without-wait.ts'

export interface FunctionOptions {
  /** The routes that this function serves. */
  routes: Routes
  prefix: string
  /** All ports that endpoints use. */
  ports: object
  log: Log
  /** Returns the client address of a request from that of the gateway's client. */
  sourceOf: SourceReader
  /** Passes a request on to the service. Without it, such requests are tried here. */
  forward?: Forward | undefined
  /** Called with the time at which the gateway got a request, in milliseconds since the epoch. */
  onRequest?(at: number): void
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
  const { routes, prefix, ports, log, sourceOf, settled, forward, onRequest } = options
  const lines = handlerLoaders(routes, ports)
  const answer = async (
    event: HttpEvent,
    context: HandlerContext,
    call: CallContext,
    signal: AbortSignal,
  ): Promise<HttpResponse> => {
    const load = lines.get(event.routeKey)
    if (!load) throw notFound('this function does not serve the route')
    const { facts, handler } = await load()
    const refusal = parameterRefusal(event, facts)
    if (refusal) throw refusal
    if (facts.atService && forward && (await mayForward(event, facts, ports))) {
      const response = await forward(withoutWait(event, facts), signal)
      if (response) return response
    }
    return handler(withShortWait(event, facts, call.getRemainingTimeInMillis()), context)
  }
  return async (given: GatewayEvent, call: CallContext): Promise<GatewayResponse> => {
    onRequest?.(given.requestContext.timeEpoch)
    const event = toEvent(given, prefix)
    const { http } = event.requestContext
    http.sourceIp = sourceOf(http.sourceIp, event.headers['x-forwarded-for'])
    const gone = new AbortController()
    const { signal } = gone
    const context: HandlerContext = { gone: signal }
    const end = endBefore(call.getRemainingTimeInMillis() - reserve, gone)
    const work = async () => {
      try {
        return await answer(event, context, call, signal)
      } finally {
        await settled()
      }
    }
    const inTime = () => Promise.race([work(), rejectOn(signal)])
    const response = await answerEvent(event, context, inTime, log)
    end()
    return toGatewayResponse(response)
  }
}

/**
 * Returns whether the service may get a request: its caller is known, and its body as large as the
 * endpoint accepts. Others are refused here: a request costs the service memory and a connection.
 */
async function mayForward(event: HttpEvent, facts: EndpointFacts, ports: object): Promise<boolean> {
  if (isTooLarge(event, facts)) return false
  return facts.access === 'public' || isKnown(event, ports)
}

const isKnown = ({ headers }: HttpEvent, ports: object): Promise<boolean> =>
  authenticate(headers.authorization, ports as AuthenticationPorts).then(
    () => true,
    (error) => {
      if (error instanceof Failure && error.status === 401) return false
      throw error
    },
  )

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
