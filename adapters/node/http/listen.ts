import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { must } from '../../../functions/compose/must.ts'
import { type Failure, invalid, notFound, shuttingDown } from '../../../functions/core/errors.ts'
import type { SourceReader } from '../../../functions/core/net/source.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { Routes } from '../../../functions/kit/manifest.ts'
import { withWork } from '../process/work-context.ts'
import { type DrainState, drain } from './drain.ts'
import { Exchange } from './exchange.ts'
import { type Limits, usualLimits } from './limits.ts'
import type { RequestFacts, RequestLog } from './message/access-log.ts'
import { headerRefusal, pathRefusal } from './message/target.ts'
import { mount } from './mount.ts'
import { onParserError } from './parser-errors.ts'
import { unexpectedFailure } from './unexpected-failure.ts'
import { isWebSocket, type OnUpgrade, serveUpgrade, upgradeOf, withoutOffer } from './upgrade.ts'
import type { WebFiles } from './web-files.ts'

export interface ListenOptions {
  routes: Routes
  /** Paths of feeds. A request to one that is not an upgrade gets a 400. */
  feedPaths?: string[]
  /** Precedes every path of the manifest. */
  prefix: string
  /** All ports that endpoints use. */
  ports: object
  log: Log
  /** Returns the client address of a request; by default the address of the connection's peer. */
  sourceOf?: SourceReader
  /** 0 selects a free port. */
  port: number
  /** All interfaces by default. */
  host?: string
  limits?: Partial<Limits>
  /** The browser UI, if this process serves it. */
  web?: WebFiles
  /** Called after each request. */
  onRequest?(request: RequestFacts): void
  /** Takes over WebSocket connections. Without it they get a 404: feeds are in another process. */
  onUpgrade?: OnUpgrade
}

export interface Listener {
  readonly port: number
  readonly server: Server
  /**
   * Stops accepting, answers the requests in progress, and resolves when no connection is left.
   * Closes the remaining ones after the drain timeout or when `force` aborts.
   */
  close(force?: AbortSignal): Promise<void>
}

/** Serves the manifest over HTTP/1.1. Rejects if the port is not available. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const limits = { ...usualLimits, ...options.limits }
  const server = makeServer(limits)
  const log: RequestLog = { ...options.log, seen: options.onRequest }
  const running: Running = { server, limits, log, open: new Set(), state: {} }
  serveRequests(running, options)
  serveTheRest(running, options.onUpgrade)
  const sockets = socketsOf(server)
  await start(server, options.port, options.host)
  // The kernel can fail to accept one connection, for example for lack of memory; later ones may
  // succeed.
  server.on('error', (error) => log.warn('a connection could not be accepted', { error }))
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: (force) => drain({ ...running, sockets }, force),
  }
}

/** The state that the parts of a listener share. */
interface Running {
  server: Server
  limits: Limits
  log: Log
  open: Set<Exchange>
  state: DrainState
}

/**
 * The key of a response's exchange. A WeakMap would cost a quarter of a request's time in garbage
 * collection.
 */
const held = Symbol('exchange')
type Held = ServerResponse & { [held]?: Exchange }

function serveRequests({ server, limits, log, open, state }: Running, options: ListenOptions) {
  const exchangeOf = (outgoing: ServerResponse) => must((outgoing as Held)[held], 'exchange')
  const app = mount({ ...options, limits, exchangeOf })
  // Responses are written to their exchange, so the adapter must send nothing. A rejection tells it
  // so; with a special response it would process the headers each time.
  const fetch: typeof app.fetch = async (...given) => {
    await app.fetch(...given)
    throw sent
  }
  const dispatch = getRequestListener(fetch, {
    hostname: 'localhost',
    autoCleanupIncoming: false,
    overrideGlobalObjects: false,
    errorHandler: () => undefined as never,
  })
  const begin = (outgoing: ServerResponse) => {
    const exchange = new Exchange(outgoing, open, log, limits)
    ;(outgoing as Held)[held] = exchange
    if (state.closed) outgoing.shouldKeepAlive = false
    return exchange
  }
  const serve = async (exchange: Exchange) => {
    const { incoming, outgoing } = exchange
    const refusal = headerRefusal(incoming)
    const malformed = pathRefusal(exchange.target)
    if (refusal) exchange.refuse(refusal)
    else if (malformed) await refusePath(exchange, malformed, options.web)
    else await dispatch(incoming, outgoing)
    if (!outgoing.headersSent && !outgoing.destroyed) exchange.refuse(unexpectedFailure(undefined))
  }
  const serveOne = (exchange: Exchange) =>
    withWork({ requestId: exchange.id }, () => serve(exchange))
  server.on('request', (_incoming, outgoing) => void serveOne(begin(outgoing)))
  server.on('checkContinue', (_incoming, outgoing) => {
    const exchange = begin(outgoing)
    exchange.asksFirst = true
    void serveOne(exchange)
  })
  server.on('checkExpectation', (_incoming, outgoing) => {
    begin(outgoing).refuse(invalid('the only supported expectation is 100-continue'))
  })
}

/** A browser that opens a malformed address gets the page, which says that there is none. */
async function refusePath(exchange: Exchange, refusal: Failure, web: WebFiles | undefined) {
  const page = exchange.target.path.startsWith('/') ? await web?.find(exchange) : undefined
  if (page) exchange.answer({ ...page, statusCode: refusal.status })
  else exchange.refuse(refusal)
}

const sent = Symbol('sent')

/** Handles what Node would answer in another format or not at all. */
function serveTheRest({ server, limits, log, open, state }: Running, onUpgrade?: OnUpgrade) {
  server.on('clientError', (error, socket) => {
    onParserError(error, socket as Socket, open, log, limits)
  })
  server.on('connect', (request, socket) => {
    socket.on('error', () => {})
    upgradeOf(request, socket, log, limits).refuse(notFound('the service is not a proxy'))
  })
  server.on('upgrade', (request, socket, head) => {
    if (isWebSocket(request)) {
      const taker = state.closed ? refuseWhenEnding : onUpgrade
      void serveUpgrade(request, socket, head, { log, limits, onUpgrade: taker })
    } else {
      socket.unshift(Buffer.concat([withoutOffer(request), head]))
      server.emit('connection', socket)
    }
  })
}

/** Returns the connections of a server, including those that were upgraded. */
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  function forget(this: Socket) {
    sockets.delete(this)
  }
  server.on('connection', (socket: Socket) => {
    if (sockets.has(socket)) return
    sockets.add(socket)
    // One listener for all connections: ten thousand closures would take megabytes.
    socket.on('close', forget)
  })
  return sockets
}

const refuseWhenEnding = () => {
  throw shuttingDown()
}

/**
 * Bytes pending in a socket before its writer waits. The default of Node.js 20; that of later
 * versions is four times as much, which adds up with a thousand clients that read nothing.
 */
const socketBytes = 16 * 1024

function makeServer(limits: Limits): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headers,
    // Bodies have their own timeout per route; this one only has to be longer.
    requestTimeout: 60 * 60 * 1000,
    keepAliveTimeout: limits.keepAlive,
    connectionsCheckingInterval: limits.check,
    requireHostHeader: false,
    keepAlive: true,
    highWaterMark: socketBytes,
  })
  server.maxConnections = limits.connections
  return server
}

function start(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
