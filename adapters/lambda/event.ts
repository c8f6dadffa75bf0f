import type { HttpEvent } from '../../functions/kit/event.ts'
import { isRequestId } from '../node/http/message/request-id.ts'

/**
 * The fields of an event of an HTTP API, payload format 2.0, that become fields of ours. Header
 * names are in lower case, and the values of a repeated header are joined by commas. `rawPath` and
 * the path parameters are decoded, unlike `rawQueryString`, which has repeated parameters as sent.
 */
export interface GatewayEvent {
  version: '2.0'
  /** The route with the prefix, such as `GET /api/v1/stacks/{name}`. */
  routeKey: string
  rawPath: string
  rawQueryString: string
  /** The cookies of the request, which are not among the headers. */
  cookies?: string[]
  headers: Record<string, string | undefined>
  pathParameters?: Record<string, string | undefined>
  body?: string
  isBase64Encoded: boolean
  requestContext: {
    requestId: string
    /** When the gateway got the request, in milliseconds since the epoch. */
    timeEpoch: number
    http: { method: string; path: string; sourceIp: string; userAgent?: string }
  }
}

/** Returns the event for a handler. `prefix` is what precedes every path of the manifest. */
export function toEvent(given: GatewayEvent, prefix: string): HttpEvent {
  const { rawPath, rawQueryString, pathParameters, body, isBase64Encoded, requestContext } = given
  const { requestId, http } = requestContext
  const { method, path, sourceIp, userAgent = '' } = http
  const cookie = given.cookies?.join('; ')
  const headers = cookie === undefined ? given.headers : { ...given.headers, cookie }
  const chosen = headers['x-request-id']
  return {
    routeKey: given.routeKey.replace(` ${prefix}/`, ' /'),
    rawPath,
    rawQueryString,
    headers,
    pathParameters,
    body,
    isBase64Encoded,
    requestContext: {
      requestId: isRequestId(chosen) ? chosen : requestId,
      http: { method, path, sourceIp, userAgent },
    },
  }
}
