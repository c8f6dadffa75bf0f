/** An answer with another status or more headers than the endpoint's usual one. */
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

/** A text that is not JSON, as a page or a YAML document. */
export class TextReply {
  readonly text: string
  readonly headers: Record<string, string>

  constructor(text: string, contentType: string, headers: Record<string, string> = {}) {
    this.text = text
    this.headers = { 'Content-Type': contentType, ...headers }
  }
}

/**
 * A list as the API gives it: at most `cap` entries, and the header that says when there were more.
 * The cap stands in the description as `maxItems`.
 */
export function capped<T>(list: readonly T[], cap: number): Reply<T[]> | T[] {
  if (list.length <= cap) return list as T[]
  return new Reply(list.slice(0, cap), { headers: { 'X-Result-Truncated': 'true' } })
}

/** What `run` may give. */
export type Outcome = unknown | Reply<unknown> | TextReply
