import { type ClientOptions, WebSocket } from 'ws'
import type { Limits } from '../../adapters/node/http/limits.ts'
import { listen } from '../../adapters/node/http/listen.ts'
import type { FeedLimits } from '../../adapters/sidecar/feeds/limits.ts'
import { serveFeeds } from '../../adapters/sidecar/feeds/serve.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { memoryLog } from '../../adapters/testing/memory/log.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import type { Feeds, Routes } from '../../functions/kit/manifest.ts'
import { feeds as allFeeds, routes as allRoutes, prefix } from '../../serverless.ts'
import { signIn, type TestCaller } from './sign-in.ts'
import type { World } from './world.ts'

interface FeedWorldOptions {
  feeds?: Feeds
  routes?: Routes
  ports?: World['ports']
  limits?: Partial<FeedLimits>
  /** Limits of requests. */
  requests?: Partial<Limits>
  baseUrl?: string
}

/**
 * Starts feeds and routes behind a real listener, over memory ports. Disposing of it closes them.
 */
export async function feedWorld(options: FeedWorldOptions = {}) {
  const ports: World['ports'] = options.ports ?? memoryPorts()
  const log = memoryLog()
  const feeds = options.feeds ?? allFeeds
  const server = serveFeeds({
    feeds,
    prefix,
    ports,
    log,
    baseUrl: options.baseUrl,
    limits: { closing: 300, ...options.limits },
  })
  const listener = await listen({
    routes: options.routes ?? allRoutes,
    feedPaths: Object.keys(feeds),
    prefix,
    ports,
    log,
    port: 0,
    host: '127.0.0.1',
    onUpgrade: server.onUpgrade,
    limits: { linger: 200, grace: 0, ...options.requests },
  })
  const url = `ws://127.0.0.1:${listener.port}${prefix}`
  const close = async (force?: AbortSignal) => {
    await Promise.all([server.close(force), listener.close(force)])
  }
  return {
    ports,
    log,
    server,
    listener,
    port: listener.port,
    url,
    close,
    token: (as: TestCaller) => signIn(ports, as),
    /** Opens a feed with a bearer token. Rejects with the response if there is no upgrade. */
    open: async (path: string, as: TestCaller = 'admin', more: ClientOptions = {}) =>
      openFeed(url + path, { token: await signIn(ports, as), ...more }),
    [Symbol.asyncDispose]: () => close(AbortSignal.abort()),
  }
}

export type FeedWorld = Awaited<ReturnType<typeof feedWorld>>

/** The client side of a feed. */
export interface OpenFeed {
  ws: WebSocket
  headers: Record<string, unknown>
  /** All messages so far but the last one of the feed, text messages as strings. */
  messages: (string | Buffer)[]
  /** Returns the next unread message. Rejects if the feed closes first. */
  next(): Promise<string | Buffer>
  json(): Promise<Json>
  ended: Promise<{ code: number; reason: string }>
  /** Returns why the feed ends, as its last message says. */
  closing(): Json | undefined
}

/** The response to an upgrade that was rejected. */
export class Refused extends Error {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: string

  constructor(status: number, headers: Record<string, unknown>, body: string) {
    super(`${status} ${body}`)
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** Opens a feed and collects its messages. Rejects with `Refused`. */
export function openFeed(
  url: string,
  { token, ...more }: ClientOptions & { token?: string } = {},
): Promise<OpenFeed> {
  const headers = { ...(token && { Authorization: `Bearer ${token}` }), ...more.headers }
  const ws = new WebSocket(url, { perMessageDeflate: false, ...more, headers })
  const messages: (string | Buffer)[] = []
  let asked = 0
  let wake = () => {}
  let isOver = false
  let closing: Json | undefined
  ws.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary && data.toString('utf8').startsWith('{"closing":')) {
      closing = JSON.parse(data.toString('utf8')).closing
      return
    }
    messages.push(isBinary ? data : data.toString('utf8'))
    wake()
  })
  const ended = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => {
      isOver = true
      resolve({ code, reason: reason.toString() })
      wake()
    })
  })
  const next = async (): Promise<string | Buffer> => {
    while (asked >= messages.length) {
      if (isOver) throw new Error('the feed has ended')
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    asked += 1
    return present(messages[asked - 1])
  }
  return new Promise((resolve, reject) => {
    let answered: Record<string, unknown> = {}
    ws.on('upgrade', (response) => {
      answered = response.headers
    })
    ws.on('error', reject)
    ws.on('unexpected-response', (_request, response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () =>
        reject(new Refused(response.statusCode ?? 0, response.headers, body)),
      )
    })
    ws.on('open', () => {
      const json = async () => JSON.parse(String(await next()))
      resolve({ ws, headers: answered, messages, next, json, ended, closing: () => closing })
    })
  })
}
