import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { internalError, notFound, overloaded } from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { type SourceReader, sourceReader } from '../../../functions/core/net/source.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import { ignoreResult, markHandled } from '../../../functions/core/promises.ts'
import { ends } from '../../../functions/kit/feed-end.ts'
import type { FeedHandler, OpenFeed } from '../../../functions/kit/feed-opener.ts'
import type { Feeds } from '../../../functions/kit/manifest.ts'
import { Connection } from './connection.ts'
import { eventOf, feedRoutes } from './feed-routes.ts'
import { type FeedLimits, usualFeedLimits } from './limits.ts'
import { type PermissionPorts, recheckPermissions } from './recheck-permissions.ts'
import { endOfFailedFeed } from './revoked.ts'
import { handshakeProblem, originProblem, type Upgrade } from './upgrade.ts'
import { visitInSlices } from './visit-in-slices.ts'
import { type FeedSocket, webSockets } from './web-sockets.ts'

export interface FeedOptions {
  feeds: Feeds
  /** Precedes every path of the manifest. */
  prefix: string
  /** All ports that feeds use. */
  ports: object & PermissionPorts
  log: Log
  /** The public address of the service. */
  baseUrl?: string
  /** Returns the client address of a request; by default the address of the connection's peer. */
  sourceOf?: SourceReader
  limits?: Partial<FeedLimits>
}

/** The feeds of a process. */
export interface FeedServer {
  /** Upgrades a request to a WebSocket. If it throws, the error becomes the response instead. */
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, upgrade: Upgrade): Promise<void>
  /** The number of open feeds. */
  readonly size: number
  /** Loads all feeds ahead of the first request. */
  load(): Promise<void>
  /**
   * Tells every client that the service is shutting down, and resolves when all are gone.
   * Connections still open when `force` aborts are terminated.
   */
  close(force?: AbortSignal): Promise<void>
}

/** Serves the feeds of the manifest over WebSocket, on connections that a listener passes on. */
export function serveFeeds(options: FeedOptions): FeedServer {
  const { sourceOf = sourceReader('') } = options
  const limits = { ...usualFeedLimits, ...options.limits }
  const routes = feedRoutes(options.feeds, options.prefix, options.ports)
  const sockets = webSockets(limits, options.ports.clock)
  const open = new Set<Connection>()
  let opening = 0
  let isEnding = false
  let left = () => {}
  const stopChecks = visitInSlices(open, limits.ping, (connection) => connection.check())
  const stopRechecks = recheckPermissions(open, limits.recheck, options.ports, options.log)
  const shared = {
    forget(connection: Connection) {
      open.delete(connection)
      if (open.size === 0) left()
    },
    endOf: (error: unknown, hosts: ReadonlySet<string>) =>
      endOfFailedFeed(error, hosts, options.ports),
  }
  const server: FeedServer = {
    get size() {
      return open.size
    },
    async load() {
      for (const route of routes.all) await route.load()
    },
    async onUpgrade(request, socket, head, upgrade) {
      const connection = new Connection(socket, limits, shared)
      const found = routes.find(upgrade.target.path)
      if (!found) throw notFound(`no such feed: ${upgrade.target.path.slice(0, 256)}`)
      const problem = handshakeProblem(request)
      if (problem) throw problem
      if (open.size + opening >= limits.feeds)
        throw overloaded('too many feeds are open: try again in a moment')
      opening += 1
      try {
        const { route, parameters } = found
        const { facts, open: openFeed } = await route.load()
        const event = {
          ...eventOf(request, upgrade, route.key, parameters, sourceOf),
          originProblem: originProblem(request, options.baseUrl),
        }
        const context: { user?: string } = {}
        const feed = await inTime(openFeed, event, connection, context, limits.opening)
        const ws = upgradeFor(feed, connection, () =>
          sockets.upgrade(request, socket, head, upgrade.requestId),
        )
        const closed = upgrade.accept(route.key, context.user)
        open.add(connection)
        connection.start(ws, feed, { facts, closed })
        if (isEnding) connection.end(ends.shuttingDown)
      } finally {
        opening -= 1
      }
    },
    async close(force) {
      isEnding = true
      const empty = new Promise<void>((resolve) => {
        left = resolve
      })
      for (const connection of open) connection.end(ends.shuttingDown)
      const cut = () => {
        for (const connection of open) connection.terminate()
      }
      if (force?.aborted) cut()
      force?.addEventListener('abort', cut)
      if (open.size > 0) await empty
      force?.removeEventListener('abort', cut)
      stopChecks()
      stopRechecks()
    },
  }
  return server
}

/** Opens a feed. Gives up if that takes too long or its client goes away. */
async function inTime(
  open: FeedHandler,
  event: Parameters<FeedHandler>[0],
  connection: Connection,
  context: { user?: string },
  milliseconds: number,
): Promise<OpenFeed> {
  let timer: NodeJS.Timeout | undefined
  let fail = () => {}
  const lateness = new Promise<never>((_resolve, reject) => {
    fail = () => reject(internalError('the feed did not open in time', { reason: 'timeout' }))
    timer = setTimeout(fail, milliseconds)
    connection.signal.addEventListener('abort', fail)
  })
  const late = markHandled(lateness)
  const opened = open(event, connection, context)
  try {
    return await Promise.race([opened, late])
  } catch (error) {
    connection.giveUp()
    opened.then(abandon, ignoreError('open a feed'))
    throw error
  } finally {
    clearTimeout(timer)
    connection.signal.removeEventListener('abort', fail)
  }
}

/** Returns the socket of an open feed. If the upgrade fails, the feed is closed again. */
function upgradeFor(feed: OpenFeed, connection: Connection, upgrade: () => FeedSocket): FeedSocket {
  connection.release()
  try {
    return upgrade()
  } catch (error) {
    connection.giveUp()
    abandon(feed)
    throw error
  }
}

function abandon({ messages, rest }: OpenFeed): void {
  ignoreResult(messages.return())
  if (rest) ignoreResult(rest.return())
}
