import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { internalError } from '../../../functions/core/errors.ts'
import type { HttpEvent, HttpResponse } from '../../../functions/kit/event.ts'

/** Carries out a request that another process has passed on. Never rejects. */
export type CarryOut = (event: HttpEvent, gone: AbortSignal) => Promise<HttpResponse>

/** The path of forwarded requests. */
export const forwardPath = '/requests'

/** Bytes. A gateway accepts 6 MB, which JSON makes a little longer. */
const eventMax = 8 * 1024 * 1024

const texts = z.record(z.string(), z.string().optional())
const forwardedEvent = z.object({
  routeKey: z.string(),
  rawPath: z.string(),
  rawQueryString: z.string(),
  headers: texts,
  pathParameters: texts.optional(),
  body: z.string().optional(),
  isBase64Encoded: z.boolean(),
  requestContext: z.object({
    requestId: z.string(),
    http: z.object({
      method: z.string(),
      path: z.string(),
      sourceIp: z.string(),
      userAgent: z.string(),
    }),
  }),
})

/** Reads an event from the body of a request, and sends the response to it as JSON. */
export async function serveForwarded(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  carryOut: CarryOut,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (outgoing.writableFinished) return
    gone.abort(internalError('the function no longer waits', { reason: 'timeout' }))
  })
  const announced = Number(incoming.headers['content-length'])
  if (!(announced <= eventMax)) return end(outgoing, 413, `at most ${eventMax} bytes`)
  let event: HttpEvent
  try {
    event = forwardedEvent.parse(JSON.parse(await text(incoming)))
  } catch (error) {
    return end(outgoing, 400, `not an event: ${(error as Error).message}`)
  }
  const response = await carryOut(event, gone.signal)
  outgoing.setHeader('content-type', 'application/json')
  end(outgoing, 200, JSON.stringify(response))
}

function end(outgoing: ServerResponse, status: number, text = ''): void {
  outgoing.statusCode = status
  outgoing.end(text)
}
