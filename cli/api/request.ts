import type { Method, PathOf, RequestOf, ResponseOf } from './endpoints.ts'
import { type Answer, fillPath, type HttpRequest, pathAndQuery, send, type Target } from './http.ts'

/** How a request is sent. */
export type RequestOptions = Pick<HttpRequest, 'token' | 'timeout' | 'signal'>

/**
 * Sends a request to an endpoint and returns the response, whatever the status. Throws a
 * `CliFailure` with a readable reason if there is none.
 */
export function request<M extends Method, P extends PathOf<M>>(
  target: Target,
  method: M,
  path: P,
  options: RequestOf<M, P> & RequestOptions,
): Promise<Answer<ResponseOf<M, P>>>
export function request(
  target: Target,
  method: Method,
  path: string,
  options: Values & RequestOptions,
) {
  return send(target, { ...options, method, path: fillPath(path, options.path) })
}

/** Returns the URL of an endpoint, for a browser. */
export function urlOf<P extends PathOf<'GET'>>(
  target: Target,
  path: P,
  options: RequestOf<'GET', P>,
): string
export function urlOf({ server }: Target, path: string, options: Values): string {
  return server + pathAndQuery({ ...options, path: fillPath(path, options.path) })
}

/** The values of any request. */
export interface Values {
  path?: Record<string, string>
  query?: HttpRequest['query']
  body?: unknown
}
