import { Failure, type FailureStatus, internalError } from '../core/errors.ts'
import type { Input } from '../kit/endpoint-facts.ts'
import type { Handler, HandlerContext } from '../kit/event.ts'
import { operationIdHeader } from '../kit/wait.ts'

/** A request to an endpoint of the service. */
interface StepRequest {
  path?: Record<string, string>
  body?: unknown
  /** The value of `If-Match`. */
  ifMatch?: string
}

/** Sends a request as the caller of this one. Returns the body of the response. */
export type Send<Ports> = (
  route: string,
  endpoint: { with(ports: Ports): Handler },
  request: StepRequest,
) => Promise<unknown>

/**
 * Returns a function that calls endpoints as the caller of a request does: with its credential and
 * its address. So each call is authenticated, judged, validated and audited as one of its own.
 *
 * The function throws the failure that the endpoint answers with.
 */
export function senderOf<Ports>(
  { id, ip, userAgent, headers }: Input<'signed-in', undefined, undefined, undefined>['request'],
  ports: Ports,
): Send<Ports> {
  return async (route, endpoint, { path = {}, body, ifMatch }) => {
    const [method = ''] = route.split(' ')
    const rawPath = `/${Object.values(path).map(encodeURIComponent).join('/')}`
    const context: HandlerContext = {}
    const response = await endpoint.with(ports)(
      {
        routeKey: route,
        rawPath,
        rawQueryString: '',
        headers: {
          authorization: headers.authorization,
          'content-type': 'application/json',
          'user-agent': userAgent,
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
        pathParameters: path,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        isBase64Encoded: false,
        requestContext: {
          requestId: id,
          http: { method, path: rawPath, sourceIp: ip, userAgent },
        },
      },
      context,
    )
    const value: unknown = response.body === '' ? undefined : JSON.parse(response.body)
    if (response.statusCode < 300) return value
    const { error } = value as { error: string }
    const operation = response.headers[operationIdHeader]
    // Only the log may say why. The failure of an operation is meant for callers.
    if (context.reason === 'internal' && operation === undefined) {
      throw internalError(error, { cause: context.error })
    }
    throw new Failure(response.statusCode as FailureStatus, error, {
      ...(context.reason && { reason: context.reason }),
      ...(operation !== undefined && { headers: { [operationIdHeader]: operation } }),
    })
  }
}
