import { Failure } from '../../../functions/core/errors.ts'
import type {
  Handler,
  HandlerContext,
  HttpEvent,
  HttpResponse,
} from '../../../functions/kit/event.ts'
import { failureResponse, reportFailure } from '../../../functions/kit/failures.ts'
import { withWork } from '../process/work-context.ts'
import { logRequest, type RequestLog } from './message/access-log.ts'
import { unexpectedFailure } from './unexpected-failure.ts'

/**
 * Returns the response to an event that did not come over a connection of this process. An error of
 * `answer` becomes a response too. Writes one log line.
 */
export async function answerEvent(
  event: HttpEvent,
  context: HandlerContext,
  answer: Handler,
  log: RequestLog,
): Promise<HttpResponse> {
  const startedAt = performance.now()
  const { requestId, http } = event.requestContext
  const response = await withWork({ requestId }, async () => {
    try {
      return await answer(event, context)
    } catch (error) {
      const failure = error instanceof Failure ? error : unexpectedFailure(error)
      reportFailure(failure, context)
      return failureResponse(failure, requestId)
    }
  })
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
  return response
}
