import type { Edition } from './if-match.ts'

/** A response with a status other than the endpoint's usual one, or with additional headers. */
export class Reply<T> {
  readonly value: T
  readonly status: number | undefined
  readonly headers: Record<string, string>
  /** The work ended in failure, which the response describes: the audit row says so. */
  readonly hasFailed: boolean
  readonly edition: Edition | undefined
  readonly next: NextPart | undefined

  constructor(value: T, options: ReplyOptions = {}) {
    this.value = value
    this.status = options.status
    this.headers = options.headers ?? {}
    this.hasFailed = options.hasFailed ?? false
    this.edition = options.edition
    this.next = options.next
  }
}

interface ReplyOptions {
  status?: number | undefined
  headers?: Record<string, string>
  hasFailed?: boolean
  /** The edition of the thing in the response, which `If-Match` of a change is compared with. */
  edition?: Edition
  next?: NextPart | undefined
}

/** What the request for the next part of a list has in its query. */
export type NextPart = { before: string } | { after: string }

/** Returns a response with a thing of this edition, which its `ETag` names. */
export const versioned = <T>(value: T, edition: Edition): Reply<T> => new Reply(value, { edition })

/** A text response that is not JSON, such as a page or a YAML document. */
export class TextReply {
  readonly text: string
  readonly headers: Record<string, string>

  constructor(text: string, contentType: string, headers: Record<string, string> = {}) {
    this.text = text
    this.headers = { 'Content-Type': contentType, ...headers }
  }
}

/**
 * Returns a list with at most `cap` entries, and with a header if there were more. The OpenAPI
 * description states the cap as `maxItems`. Keeps the first entries, or the last ones of a list
 * that ends with the newest.
 */
export function capped<T>(
  list: readonly T[],
  cap: number,
  keep: 'first' | 'last' = 'first',
): Reply<T[]> | T[] {
  if (list.length <= cap) return list as T[]
  const kept = keep === 'first' ? list.slice(0, cap) : list.slice(-cap)
  return new Reply(kept, { headers: truncated })
}

const truncated = { 'X-Result-Truncated': 'true' }

/**
 * Returns at most `cap` entries of a list of the past. If there were more, the response links to
 * the next part; its endpoint declares `nextHeader`.
 */
export function paged<T extends { id: string }>(list: readonly T[], cap: number): Reply<T[]> | T[] {
  if (list.length <= cap) return list as T[]
  const kept = list.slice(0, cap)
  return cutAt(kept, kept.at(-1)?.id)
}

/** Returns a part of a list of the past, after which `next` is the `before` of the next part. */
export const cutAt = <T>(part: T[], next: string | undefined): Reply<T[]> =>
  new Reply(part, { headers: truncated, next: next === undefined ? next : { before: next } })

/** How a list is sorted, and where its part begins. */
interface NamePart<T> {
  cap: number
  nameOf(entry: T): string
  after: string | undefined
}

/**
 * Returns the entries of a list sorted by name that come after a name, at most `cap`. If there were
 * more, the response links to the next part; its endpoint declares `nextByNameHeader`.
 */
export function pagedByName<T>(
  list: readonly T[],
  { cap, nameOf, after }: NamePart<NoInfer<T>>,
): Reply<T[]> | T[] {
  const rest = after === undefined ? list : list.filter((entry) => nameOf(entry) > after)
  const kept = rest.slice(0, cap)
  const last = kept.at(-1)
  if (rest.length <= cap || last === undefined) return kept
  return new Reply(kept, { headers: truncated, next: { after: nameOf(last) } })
}

/** Returns a response with more headers. */
export function withHeaders<T>(reply: Reply<T> | T, headers: Record<string, string>): Reply<T> {
  const { value, ...options } = asReply(reply)
  return new Reply(value, { ...options, headers: { ...options.headers, ...headers } })
}

/** Returns a value as the response that it is. */
export const asReply = <T>(reply: Reply<T> | T): Reply<T> =>
  reply instanceof Reply ? reply : new Reply(reply)

/** The return value of an endpoint's `run`. */
export type Outcome = unknown | Reply<unknown> | TextReply
