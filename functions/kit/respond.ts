import type { EndpointFacts } from './endpoint-facts.ts'
import type { HttpEvent, HttpResponse } from './event.ts'
import { type Outcome, Reply, TextReply } from './reply.ts'

/** Returns the headers of every response of the API. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
  }
}

/** Returns the status of a response that sets none of its own. */
export const defaultStatus = ({ status, returns }: Pick<EndpointFacts, 'status' | 'returns'>) =>
  status ?? (returns ? 200 : 204)

/** Returns the response of a handler that succeeded. */
export function toResponse(outcome: Outcome, facts: EndpointFacts, event: HttpEvent): HttpResponse {
  const headers = commonHeaders(event.requestContext.requestId)
  if (outcome instanceof TextReply) {
    return { statusCode: 200, headers: { ...headers, ...outcome.headers }, body: outcome.text }
  }
  const { value, status, headers: more } = outcome instanceof Reply ? outcome : new Reply(outcome)
  const statusCode = status ?? defaultStatus(facts)
  const body = value === undefined ? '' : serialise(value)
  if (value === undefined) delete headers['Content-Type']
  return { statusCode, headers: { ...headers, ...more }, body }
}

const serialised = new WeakMap<object, string>()

/**
 * Returns the value as JSON. The JSON of a frozen value is cached, so an unchanged list is
 * serialised only once.
 */
function serialise(value: unknown): string {
  if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) {
    return JSON.stringify(value)
  }
  const known = serialised.get(value)
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  serialised.set(value, text)
  return text
}
