import { notFound } from '../core/errors.ts'
import type { Page } from '../core/pages.ts'
import { Reply, TextReply } from './reply.ts'

/**
 * Answers a text that may be cached for `seconds`, or 304 when the caller has it already (RFC 9110, 13.1.2).
 * Throws a `Failure` 404 for none.
 */
export function serve(
  page: Page | undefined,
  { ifNoneMatch, seconds, headers }: ServeOptions,
): TextReply | Reply<undefined> {
  if (!page) throw notFound('there is no such file')
  const cached = { ETag: page.etag, 'Cache-Control': `public, max-age=${seconds}`, ...headers }
  if (matches(ifNoneMatch, page.etag)) return new Reply(undefined, { status: 304, headers: cached })
  return new TextReply(page.text, page.contentType, cached)
}

export interface ServeOptions {
  /** The caller's header of that name. */
  ifNoneMatch: string | undefined
  seconds: number
  headers?: Record<string, string>
}

function matches(header: string | undefined, etag: string): boolean {
  const known = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return known.includes(etag) || known.includes('*')
}
