import { Failure, internalFailure } from '../core/errors.ts'
import type { HandlerContext, HttpEvent, HttpResponse } from './event.ts'
import { commonHeaders } from './respond.ts'

/**
 * Turns an error into a response, and reports it to the log line of the request. A `Failure`
 * supplies its own message. Any other error is a 500 whose cause goes only to the log.
 */
export function failed(error: unknown, event: HttpEvent, context: HandlerContext): HttpResponse {
  const known = error instanceof Failure ? error : internalFailure(error)
  reportFailure(known, context)
  return failureResponse(known, event.requestContext.requestId)
}

/** Returns the response of a failure; nothing else makes one. */
export function failureResponse(failure: Failure, requestId: string): HttpResponse {
  const { status, message, reason, headers } = failure
  return {
    statusCode: status,
    headers: { ...commonHeaders(requestId), ...(reason && { [reasonHeader]: reason }), ...headers },
    body: JSON.stringify({ error: message }),
  }
}

export const reasonHeader = 'X-Error-Reason'

/** Adds to the log line of a request why it failed. */
export function reportFailure(failure: Failure, context: HandlerContext): void {
  const { status, reason, cause, detail } = failure
  if (status === 500) context.error ??= cause ?? failure
  if (reason !== undefined) context.reason ??= reason
  if (detail !== undefined) context.detail ??= detail
}
