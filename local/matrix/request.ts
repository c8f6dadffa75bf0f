/** The request of a route. */
export interface Request {
  path?: Record<string, string | number>
  headers?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}
