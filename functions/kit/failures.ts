import { Failure } from '../core/errors.ts'
import type { HandlerContext, HttpEvent, HttpResponse } from './event.ts'
import { commonHeaders } from './respond.ts'

/**
 * Turns an error into a response; nothing else does. A `Failure` supplies its own message. Any
 * other error is a 500 whose cause goes only to the log.
 */
export function failed(error: unknown, event: HttpEvent, context: HandlerContext): HttpResponse {
  const known = error instanceof Failure ? error : undefined
  if (!known || known.status === 500) context.error = known?.cause ?? error
  if (known?.detail !== undefined) context.detail = known.detail
  return {
    statusCode: known?.status ?? 500,
    headers: { ...commonHeaders(event.requestContext.requestId), ...known?.headers },
    body: JSON.stringify({ error: known?.message ?? 'the service failed to answer this request' }),
  }
}
