import type { IncomingMessage } from 'node:http'
import type { SourceReader } from '../../../functions/core/net/source.ts'
import { onRejection } from '../../../functions/core/promises.ts'
import type { HttpEvent } from '../../../functions/kit/event.ts'
import type { FeedFacts } from '../../../functions/kit/feed-facts.ts'
import type { FeedHandler } from '../../../functions/kit/feed-opener.ts'
import type { Feeds } from '../../../functions/kit/manifest.ts'
import type { FeedPorts } from '../../../functions/kit/ticket.ts'
import type { Upgrade } from './upgrade.ts'

/** A feed of the manifest, loaded on first use. */
export interface FeedRoute {
  key: string
  load(): Promise<{ facts: FeedFacts; open: FeedHandler }>
}

/** Returns the feeds, and `find`, which returns the feed of a path with its path parameters. */
export function feedRoutes(feeds: Feeds, prefix: string, ports: object) {
  const routes = Object.entries(feeds).map(([path, load]) => {
    let loaded: ReturnType<FeedRoute['load']> | undefined
    const route: FeedRoute = {
      key: `GET ${path}`,
      load() {
        loaded ??= load().then(({ default: feed }) => ({
          facts: feed.facts,
          open: feed.with(ports as FeedPorts),
        }))
        onRejection(loaded, () => {
          loaded = undefined
        })
        return loaded
      },
    }
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const form = new RegExp(`^${prefix}${path.replace(/\{\w+\}/g, '([^/]+)')}$`)
    return { route, names, form }
  })
  return {
    all: routes.map(({ route }) => route),
    find(path: string): { route: FeedRoute; parameters: Record<string, string> } | undefined {
      for (const { route, names, form } of routes) {
        const values = form.exec(path)?.slice(1)
        if (!values) continue
        const parameters = names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')])
        return { route, parameters: Object.fromEntries(parameters) }
      }
      return undefined
    },
  }
}

/** Returns the upgrade request as an event for the handlers of feeds. */
export function eventOf(
  request: IncomingMessage,
  { requestId, target }: Upgrade,
  key: string,
  parameters: Record<string, string>,
  sourceOf: SourceReader,
): HttpEvent {
  return {
    routeKey: key,
    rawPath: target.path,
    rawQueryString: target.query,
    headers: request.headers as HttpEvent['headers'],
    pathParameters: parameters,
    isBase64Encoded: false,
    requestContext: {
      requestId,
      http: {
        method: 'GET',
        path: target.path,
        sourceIp: sourceOf(
          request.socket.remoteAddress,
          request.headers['x-forwarded-for'] as string | undefined,
        ),
        userAgent: request.headers['user-agent'] ?? '',
      },
    },
  }
}
