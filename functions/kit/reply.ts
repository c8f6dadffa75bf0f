/** A response with another status than the endpoint's usual one, or with more headers. */
export class Reply<T> {
  readonly value: T
  readonly status: number | undefined
  readonly headers: Record<string, string>

  constructor(value: T, options: { status?: number; headers?: Record<string, string> } = {}) {
    this.value = value
    this.status = options.status
    this.headers = options.headers ?? {}
  }
}

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
 * Returns a list with at most `cap` entries, and a header if there were more. The description has
 * the cap as `maxItems`.
 */
export function capped<T>(list: readonly T[], cap: number): Reply<T[]> | T[] {
  if (list.length <= cap) return list as T[]
  return new Reply(list.slice(0, cap), { headers: { 'X-Result-Truncated': 'true' } })
}

/** What `run` may return. */
export type Outcome = unknown | Reply<unknown> | TextReply
