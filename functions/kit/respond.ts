import type { EndpointFacts } from './endpoint-facts.ts'
import { entityTag, hashOf, isKnown } from './entity-tag.ts'
import type { HttpEvent, HttpResponse } from './event.ts'
import { asReply, type NextPart, type Outcome, TextReply } from './reply.ts'

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

/**
 * Returns the response of a handler that succeeded. JSON that was read has an `ETag`, and so has a
 * thing of a known edition. A reader who has that version already gets a 304.
 */
export function toResponse(outcome: Outcome, facts: EndpointFacts, event: HttpEvent): HttpResponse {
  const headers = commonHeaders(event.requestContext.requestId)
  if (outcome instanceof TextReply) {
    return { statusCode: 200, headers: { ...headers, ...outcome.headers }, body: outcome.text }
  }
  const { value, status, headers: more, edition, next } = asReply(outcome)
  const statusCode = status ?? defaultStatus(facts)
  if (next !== undefined) headers.Link = `<${nextPart(event.rawQueryString, next)}>; rel="next"`
  if (value === undefined) {
    delete headers['Content-Type']
    return { statusCode, headers: { ...headers, ...more }, body: '' }
  }
  const content = serialise(value)
  const isRead = event.routeKey.startsWith('GET ') && statusCode === 200
  if (!isRead && edition === undefined) {
    return { statusCode, headers: { ...headers, ...more }, body: content.text }
  }
  content.hash ??= hashOf(content.text)
  const etag = entityTag(content.hash, edition)
  const tag = { ...more, ETag: etag }
  if (!isRead || !isKnown(event.headers['if-none-match'], etag)) {
    return { statusCode, headers: { ...headers, ...tag }, body: content.text }
  }
  delete headers['Content-Type']
  return { statusCode: 304, headers: { ...headers, ...tag }, body: '' }
}

/**
 * Returns the address of the next part of a list, relative to that of the request: the path that
 * the caller used may have a prefix that a proxy removed.
 */
function nextPart(rawQuery: string, next: NextPart): string {
  const query = new URLSearchParams(rawQuery)
  for (const [name, value] of Object.entries(next)) query.set(name, value)
  return `?${query}`
}

/** A value as JSON, with the hash of that text once it was needed. */
interface Content {
  text: string
  hash?: string
}

const contents = new WeakMap<object, Content>()

/**
 * Returns the value as JSON. The JSON of a frozen value is cached, so an unchanged list is
 * serialised and hashed only once.
 */
function serialise(value: unknown): Content {
  if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) {
    return { text: JSON.stringify(value) }
  }
  const known = contents.get(value)
  if (known) return known
  const content = { text: JSON.stringify(value) }
  contents.set(value, content)
  return content
}
