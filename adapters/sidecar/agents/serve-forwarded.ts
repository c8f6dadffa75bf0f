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

/**
 * Reads an event from the body of a request, and sends the response to it as JSON. Resolves when
 * that is sent or the connection is lost.
 */
export async function serveForwarded(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  carryOut: CarryOut,
): Promise<void> {
  const gone = new AbortController()
  const closed = new Promise<void>((resolve) => {
    outgoing.once('close', () => {
      resolve()
      if (outgoing.writableFinished) return
      gone.abort(internalError('the function no longer waits', { reason: 'timeout' }))
    })
  })
  const { status, body } = await answered(incoming, outgoing, (event) =>
    carryOut(event, gone.signal),
  )
  if (outgoing.destroyed) return
  outgoing.statusCode = status
  outgoing.end(body)
  await closed
}

/** The response to a forwarded request: 200 with that of the endpoint, or why there is none. */
interface Answer {
  status: number
  body: string
}

async function answered(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  carryOut: (event: HttpEvent) => Promise<HttpResponse>,
): Promise<Answer> {
  const announced = Number(incoming.headers['content-length'])
  if (!(announced <= eventMax)) return { status: 413, body: `at most ${eventMax} bytes` }
  // The function sends the body only now: until then nothing can have been carried out.
  if (incoming.headers.expect !== undefined) outgoing.writeContinue()
  let event: HttpEvent
  try {
    event = forwardedEvent.parse(JSON.parse(await text(incoming)))
  } catch (error) {
    return { status: 400, body: `not an event: ${(error as Error).message}` }
  }
  return { status: 200, body: JSON.stringify(await carryOut(event)) }
}
