import { notFound } from '../core/errors.ts'
import type { Page, PageName } from '../core/ports/pages.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from './endpoint.ts'
import { isKnown } from './entity-tag.ts'
import { Reply, TextReply } from './reply.ts'

/**
 * Returns a text that may be cached for `seconds`, or 304 if the caller has it already (RFC 9110,
 * 13.1.2).
 *
 * @throws 404 if there is no page
 */
export function serve(
  page: Page | undefined,
  { ifNoneMatch, seconds, headers }: ServeOptions,
): TextReply | Reply<undefined> {
  if (!page) throw notFound('there is no such file')
  const cached = { ETag: page.etag, 'Cache-Control': `public, max-age=${seconds}`, ...headers }
  if (isKnown(ifNoneMatch, page.etag)) return new Reply(undefined, { status: 304, headers: cached })
  return new TextReply(page.text, page.contentType, cached)
}

/** Makes a public endpoint that serves one file of the installation, cacheable for 5 minutes. */
export function pageEndpoint(page: {
  summary: string
  description: string
  name: PageName
  /** The content type. */
  produces: string
  headers?: Record<string, string>
}) {
  const { name, headers, ...said } = page
  return endpoint({
    ...said,
    access: 'public',
    otherResponses: unchangedPage,
    responseHeaders: cachedHeaders,
    errors: { 404: 'The file is missing from this installation' },

    async run({ request }, { pages }: Needs<'pages'>) {
      const ifNoneMatch = request.headers['if-none-match']
      return serve(await pages.find(name), { ifNoneMatch, seconds: 300, headers })
    },
  })
}

/** The response of `serve` if the client already has the page. */
export const unchangedPage = {
  304: 'Not modified since the version with the ETag in If-None-Match',
} as const

/** Describes the header that `serve` sends besides an `ETag`, for `responseHeaders`. */
export const cachedHeaders = {
  'Cache-Control': 'How long the page can be used without a request, such as `public, max-age=300`',
}

export interface ServeOptions {
  /** The caller's `If-None-Match` header. */
  ifNoneMatch: string | undefined
  seconds: number
  headers?: Record<string, string>
}
