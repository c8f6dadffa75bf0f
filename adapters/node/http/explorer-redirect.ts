import type { HttpResponse } from '../../../functions/kit/event.ts'
import { commonHeaders } from '../../../functions/kit/respond.ts'
import { acceptsHtml } from './accepts.ts'
import type { Exchange } from './exchange.ts'

/**
 * Returns the redirect to the API's explorer: for `GET <prefix>`, and for `GET /` from a browser if
 * the browser UI was not built. Returns undefined for any other request. The location is relative,
 * so that it is also right behind a proxy that adds a path prefix.
 */
export function explorerRedirect(exchange: Exchange, prefix: string): HttpResponse | undefined {
  const { method, headers } = exchange.incoming
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const { path } = exchange.target
  if (path !== prefix && !(path === '/' && acceptsHtml(headers.accept))) return undefined
  const from = path.slice(0, path.lastIndexOf('/') + 1)
  const common = commonHeaders(exchange.id)
  delete common['Content-Type']
  const Location = `${prefix}/docs`.slice(from.length)
  return { statusCode: 302, headers: { ...common, Location }, body: '' }
}
