import type { ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { internalError, invalid, notFound } from '../../../functions/core/errors.ts'
import { type SourceReader, sourceReader } from '../../../functions/core/net/source.ts'
import { Semaphore } from '../../../functions/core/semaphore.ts'
import type { EndpointFacts } from '../../../functions/kit/endpoint-facts.ts'
import type { HttpEvent } from '../../../functions/kit/event.ts'
import { handlerLoader, type LoadedEndpoint } from '../../../functions/kit/load-handler.ts'
import { type Route, type Routes, routesOf } from '../../../functions/kit/manifest.ts'
import type { Exchange } from './exchange.ts'
import { explorerRedirect } from './explorer-redirect.ts'
import { bodyTime, type Limits } from './limits.ts'
import { announcedBytes, hasBody, readBody, type SentBody } from './message/body.ts'
import { decode, slashRefusal } from './message/target.ts'
import { unexpectedFailure } from './unexpected-failure.ts'
import type { WebFiles } from './web-files.ts'

export interface Mounted {
  routes: Routes
  /** Paths of feeds. A request to one that is not an upgrade gets a 400. */
  feedPaths?: string[]
  prefix: string
  /** All ports that endpoints use. */
  ports: object
  limits: Limits
  /** Returns the client address of a request; by default the address of the connection's peer. */
  sourceOf?: SourceReader
  /** The browser UI. */
  web?: WebFiles
  exchangeOf(outgoing: ServerResponse): Exchange
}

/**
 * Returns an app with every endpoint of the manifest as a route. All responses are written to the
 * exchange.
 */
export function mount(mounted: Mounted) {
  const { routes, feedPaths = [], prefix, ports, limits, exchangeOf } = mounted
  const { sourceOf = sourceReader(''), web } = mounted
  const app = new Hono<{ Bindings: HttpBindings }>()
  const lines = routesOf(routes)
  const hasExplorer = lines.some(({ path }) => path === '/docs')
  const host = { limits, sourceOf, turns: new Semaphore(limits.largeBodies) }
  for (const route of lines) {
    const line: Line = {
      route,
      key: `${route.method} ${route.path}`,
      parameters: placesOf(prefix, route),
      load: handlerLoader(route, ports),
    }
    app.on(route.method, prefix + honoPath(route.path), async (context) => {
      await serve(exchangeOf(context.env.outgoing as ServerResponse), line, host)
      return RESPONSE_ALREADY_SENT
    })
  }
  for (const path of feedPaths) {
    app.get(prefix + honoPath(path), (context) => {
      exchangeOf(context.env.outgoing as ServerResponse).refuse(
        invalid('this is a feed: open it as a WebSocket'),
      )
      return RESPONSE_ALREADY_SENT
    })
  }
  app.notFound(async (context) => {
    const exchange = exchangeOf(context.env.outgoing as ServerResponse)
    const found =
      (await web?.find(exchange)) ?? (hasExplorer ? explorerRedirect(exchange, prefix) : undefined)
    if (found) {
      exchange.answer(found)
      return RESPONSE_ALREADY_SENT
    }
    const allowed = methods.filter((method) => app.router.match(method, context.req.path)[0].length)
    exchange.refuse(noRoute(exchange, allowed))
    return RESPONSE_ALREADY_SENT
  })
  app.onError((error, context) => {
    exchangeOf(context.env.outgoing as ServerResponse).refuse(unexpectedFailure(error))
    return RESPONSE_ALREADY_SENT
  })
  return app
}

const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A line of the manifest. Its endpoint is loaded by the first request. */
interface Line {
  load: () => Promise<LoadedEndpoint>
  route: Route
  key: string
  parameters: { name: string; index: number }[]
}

/** The state that the requests of a listener share. */
interface Host {
  sourceOf: SourceReader
  limits: Limits
  /** Limits the large bodies in memory. */
  turns: Semaphore
}

async function serve(exchange: Exchange, line: Line, host: Host) {
  exchange.route = line.key
  exchange.working = true
  const { limits } = host
  const ends: (() => void)[] = []
  try {
    const { handler, facts } = await line.load()
    const refusal = facts.encodedSlashes ? undefined : slashRefusal(exchange.target)
    if (refusal) return exchange.refuse(refusal)
    if (facts.noTimeout) exchange.context.gone = exchange.gone()
    const timer = responseTimer(exchange, facts, limits)
    ends.push(timer.end)
    const body = facts.readsBytes
      ? { chunks: () => chunksOf(exchange) }
      : isLarge(exchange, facts, limits)
        ? largeBody(exchange, facts, host, { timer, ends })
        : hasBody(exchange.incoming)
          ? await bodyOf(exchange, facts, limits)
          : {}
    timer.begin()
    exchange.answer(await handler(eventOf(exchange, line, body, host.sourceOf), exchange.context))
  } catch (error) {
    exchange.refuse(unexpectedFailure(error))
  } finally {
    for (const end of ends) end()
    exchange.worked()
  }
}

/** Returns the handler's timeout, which does not include reading the body. */
function responseTimer(exchange: Exchange, facts: EndpointFacts, limits: Limits) {
  let timer: NodeJS.Timeout | undefined
  const late = () =>
    exchange.refuse(internalError('the service did not respond in time', { reason: 'timeout' }))
  const end = () => clearTimeout(timer)
  const begin = () => {
    if (!facts.noTimeout) timer = setTimeout(late, limits.handler)
  }
  return {
    begin,
    end,
    async without<T>(work: () => Promise<T>): Promise<T> {
      end()
      const done = await work()
      begin()
      return done
    },
  }
}

/**
 * Returns whether the body is larger than usual. Only some routes accept such a body, and only from
 * authenticated callers.
 */
const isLarge = ({ incoming }: Exchange, facts: EndpointFacts, limits: Limits) =>
  (facts.bodyLimit ?? 0) > limits.bodyBytes &&
  hasBody(incoming) &&
  announcedBytes(incoming) > limits.bodyBytes

interface Responding {
  timer: ReturnType<typeof responseTimer>
  ends: (() => void)[]
}

/**
 * Returns what reads a large body when it is its turn. The turn lasts until the response, so few
 * large bodies are in memory. Where a response may take any length of time, it ends once the body
 * is parsed: such an endpoint limits how many of its requests an account may have.
 */
function largeBody(
  exchange: Exchange,
  facts: EndpointFacts,
  host: Host,
  { timer, ends }: Responding,
): Pick<HttpEvent, 'parsed' | 'receive'> {
  let release = () => {}
  ends.push(() => release())
  const inTurn = async () => {
    release = await host.turns.acquire()
    return bodyOf(exchange, facts, host.limits).catch(() => ({
      bodyProblem: 'the body is incomplete',
    }))
  }
  return {
    receive: () => timer.without(inTurn),
    ...(facts.noTimeout && { parsed: () => release() }),
  }
}

function bodyOf(exchange: Exchange, facts: EndpointFacts, limits: Limits) {
  const limit = facts.bodyLimit ?? limits.bodyBytes
  const proceed = () => exchange.proceed()
  return readBody(exchange.incoming, limit, bodyTime(limits, limit), proceed)
}

/**
 * Yields the body as it arrives. The handler's timeout includes it. A reader that stops early can
 * still respond.
 */
function chunksOf(exchange: Exchange): AsyncIterable<Uint8Array> {
  exchange.proceed()
  return exchange.incoming.iterator({ destroyOnReturn: false })
}

function noRoute({ incoming, target }: Exchange, allowed: string[]) {
  const what = `no such route: ${incoming.method} ${target.path.slice(0, 256)}`
  if (allowed.length === 0) return notFound(what)
  const list = allowed.join(', ')
  return notFound(`${what} (this path takes ${list})`, { headers: { Allow: list } })
}

function eventOf(
  { id, incoming, target }: Exchange,
  { key, parameters }: Line,
  body: SentBody & Pick<HttpEvent, 'chunks' | 'parsed' | 'receive'>,
  sourceOf: SourceReader,
): HttpEvent {
  return {
    routeKey: key,
    rawPath: target.path,
    rawQueryString: target.query,
    headers: incoming.headers as HttpEvent['headers'],
    pathParameters: parameters.length === 0 ? undefined : parametersOf(target.path, parameters),
    ...body,
    isBase64Encoded: false,
    requestContext: {
      requestId: id,
      http: {
        method: incoming.method ?? '',
        path: target.path,
        sourceIp: sourceOf(
          incoming.socket.remoteAddress,
          incoming.headers['x-forwarded-for'] as string | undefined,
        ),
        userAgent: incoming.headers['user-agent'] ?? '',
      },
    },
  }
}

function placesOf(prefix: string, { path }: Route) {
  return `${prefix}${path}`
    .split('/')
    .map((segment, index) => ({ name: /^\{(\w+)\}$/.exec(segment)?.[1] ?? '', index }))
    .filter(({ name }) => name !== '')
}

function parametersOf(path: string, parameters: Line['parameters']): Record<string, string> {
  const segments = path.split('/')
  const out: Record<string, string> = {}
  for (const { name, index } of parameters) out[name] = decode(segments[index] ?? '') ?? ''
  return out
}
