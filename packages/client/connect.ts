import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.types.ts'
import type { Socket, SocketClass } from './connection.ts'
import { addressOf, feedsBase, type Params } from './feed-address.ts'
import type { FeedParams, FeedPath, MessageOf } from './feed-types.ts'
import { type Following, follow } from './follow.ts'
import { lostResponse } from './lost-response.ts'
import { unwrap } from './service-error.ts'
import { type Started, waitFor } from './wait-for.ts'

export type { components, paths } from './api.types.ts'
export type { FeedEnd } from './feed-end.ts'
export type { FeedParams, FeedPath, MessageOf } from './feed-types.ts'
export { repeat } from './repeat.ts'
export { ServiceError, unwrap } from './service-error.ts'
export type { Started } from './wait-for.ts'

/** How to reach a service. */
export interface ConnectOptions {
  /** The address of the service, such as `https://stacks.example.com`. */
  server: string
  /** An API token or an access token, or a function that returns one for each request. */
  token: string | (() => string | Promise<string>)
  /** The class of the connections of feeds. Node.js 20 has none: pass that of the package `ws`. */
  WebSocket?: SocketClass
}

/** How to follow a feed. */
export interface FeedOptions<P extends FeedPath>
  extends Pick<Following<MessageOf<P>>, 'onEnd' | 'onReconnect' | 'signal'> {
  /** Values of the path and of the query. */
  params: FeedParams<P>
  /** Returns the query of a connection after a lost one, such as `{ since: last.time }`. */
  resume?: (last: MessageOf<P>) => Params
}

/** The API of a service. */
export interface Service {
  /** The requests of the API: `GET('/stacks')`, `POST('/stacks/{name}/deploy', …)`. */
  api: Client<paths>
  /**
   * Follows a feed such as `/ws/events`, over connections that are lost, until its subject ends.
   * Messages between two connections are lost unless `resume` asks for them again.
   */
  feed<P extends FeedPath>(path: P, options: FeedOptions<P>): AsyncGenerator<MessageOf<P>, void>
  /**
   * Returns a deployment, backup run or operation when it has ended, whether it succeeded or not:
   * see its `status`. Goes on over connections that are lost.
   */
  waitFor<T extends Started>(started: T, options?: { signal?: AbortSignal }): Promise<T>
}

/** Returns the API of a service. Sends no request. */
export function connect({ server, token, WebSocket }: ConnectOptions): Service {
  const base = `${server.replace(/\/+$/, '')}/api/v1`
  const api = createClient<paths>({ baseUrl: base })
  api.use({
    async onRequest({ request }) {
      const value = typeof token === 'string' ? token : await token()
      request.headers.set('Authorization', `Bearer ${value}`)
      return request
    },
  })
  api.use(lostResponse)
  /** Each connection needs a ticket of its own, because browsers send no header with one. */
  async function open(path: string, params: { path?: Params; query?: Params }): Promise<Socket> {
    const Connection = WebSocket ?? (globalThis as { WebSocket?: SocketClass }).WebSocket
    if (!Connection) throw new Error('this runtime has no WebSocket: pass one to connect()')
    const { ticket, url } = await unwrap(api.POST('/ws/ticket'))
    const query = { ...params.query, ticket }
    return new Connection(feedsBase(base, url) + addressOf(path, params.path, query))
  }
  return {
    api,
    waitFor: (started, { signal } = {}) => waitFor(api, started, signal),
    feed: (path, { params, resume, ...options }) =>
      follow({
        ...options,
        connect(last) {
          // Their types are known where the path is, in the calls.
          const given = params as { path?: Params; query?: Params }
          const again = last === undefined ? undefined : resume?.(last)
          return open(path, { ...given, query: { ...given.query, ...again } })
        },
      }),
  }
}
