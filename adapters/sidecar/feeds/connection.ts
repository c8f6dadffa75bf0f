import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { Caller } from '../../../functions/core/access/account.ts'
import type { Required } from '../../../functions/core/access/grant.ts'
import { EncodedText, type Message } from '../../../functions/core/feeds/message.ts'
import { ready, type Sent } from '../../../functions/kit/feed.ts'
import { endOf, ends, type FeedEnd } from '../../../functions/kit/feed-end.ts'
import type { FeedLink, OpenFeed } from '../../../functions/kit/feed-opener.ts'
import { type Incoming, incomingQueue } from './incoming.ts'
import type { FeedLimits } from './limits.ts'
import type { FeedClose } from './upgrade.ts'

/** Messages after which a feed lets the others have their turn. */
const turnEvery = 64

/** What of a feed a connection must know: there are many, most of them idle, so it is little. */
export interface Accepted {
  access: Required
  takes: boolean
  closed(close: FeedClose): void
}

const owner = Symbol('connection')
type Owned = WebSocket & { [owner]?: Connection }

/** Listeners that all connections share: closures of their own would be a fifth of what an idle one weighs. */
const listeners = {
  ignore() {},
  close(this: WebSocket, code: number) {
    ;(this as Owned)[owner]?.closed(code)
  },
  pong(this: WebSocket) {
    ;(this as Owned)[owner]?.heard()
  },
  message(this: WebSocket, data: Buffer, isBinary: boolean) {
    ;(this as Owned)[owner]?.received(data, isBinary)
  },
}

/** A client of a feed: from its request to the end of its connection. */
export class Connection implements FeedLink {
  readonly #limits: FeedLimits
  readonly #socket: Duplex
  readonly #stop = new AbortController()
  #incoming: Incoming | undefined
  #ws: WebSocket | undefined
  #feed: OpenFeed | undefined
  #accepted: Accepted | undefined
  #end: FeedEnd | undefined
  #bytes = 0
  /** Bytes that had left by the last look, and whether the client gave a sign since. */
  #gone = 0
  #isAlive = true
  /** Looks at its rights that failed one after the other. */
  doubts = 0

  /** Resets of the socket are no error of the service, from the first moment on. */
  constructor(socket: Duplex, limits: FeedLimits) {
    this.#socket = socket
    this.#limits = limits
    socket.on('error', listeners.ignore)
    socket.on('close', this.giveUp)
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  get incoming(): Incoming {
    this.#incoming ??= incomingQueue(() => this.#regulate())
    return this.#incoming
  }

  get caller(): Caller {
    return this.#feed!.caller
  }

  get access(): Required {
    return this.#accepted!.access
  }

  get hosts(): ReadonlySet<string> {
    return this.#feed!.hosts
  }

  /** Sends what the feed yields until one side ends it. */
  start(ws: WebSocket, feed: OpenFeed, accepted: Accepted): void {
    this.#ws = ws
    this.#feed = feed
    this.#accepted = accepted
    ;(ws as Owned)[owner] = this
    ws.on('error', listeners.ignore)
    ws.on('close', listeners.close)
    ws.on('pong', listeners.pong)
    ws.on('message', listeners.message)
    void this.#send(feed)
  }

  /** Ends the feed from this side; the first end counts. */
  end(end: FeedEnd): void {
    if (this.#end || !this.#ws) return
    this.#end = end
    this.#ws.close(end.code, end.reason)
    this.#stop.abort()
    this.#ws.resume()
  }

  /** Lets go of a feed that was opened for a client who does not get it. */
  readonly giveUp = (): void => this.#stop.abort()

  /** Cuts the connection. */
  terminate(): void {
    this.#ws?.terminate()
  }

  /** Called now and then: who gave no sign since the last time is gone, who took nothing of what waits is too slow. */
  look(): void {
    const ws = this.#ws!
    const gone = this.#bytes - ws.bufferedAmount
    // Pings wait there too: what has left can seem to become less.
    const moved = gone > this.#gone
    if (moved) this.#gone = gone
    if (this.#isAlive || moved || ws.isPaused) {
      this.#isAlive = false
      if (ws.readyState === ws.OPEN) ws.ping()
    } else if (ws.bufferedAmount > 0 && !this.#end) this.end(ends.tooSlow)
    else ws.terminate()
  }

  async #send({ first, messages }: OpenFeed): Promise<void> {
    try {
      let sent: Sent | undefined = first
      for (let count = 1; sent !== undefined && !this.signal.aborted; count += 1) {
        if (sent !== ready) this.#write(sent)
        if (this.#ws!.bufferedAmount > this.#limits.sendBytes) await this.#drained()
        // A feed that always has something must not keep the others from their turn.
        else if (count % turnEvery === 0) await turn()
        const next: IteratorResult<Sent, void> = await messages.next()
        sent = next.done ? undefined : next.value
      }
      this.end(ends.over)
    } catch (error) {
      // What a feed throws after its client has gone is the going itself.
      if (!this.signal.aborted) this.end(endOf(error))
    } finally {
      void messages.return?.().catch(() => {})
    }
  }

  #write(message: Message): void {
    const ws = this.#ws!
    if (ws.readyState !== ws.OPEN) return
    const isText = typeof message === 'string' || message instanceof EncodedText
    const data = message instanceof EncodedText ? message.bytes : message
    this.#bytes += typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength
    ws.send(data, { binary: !isText })
  }

  #drained(): Promise<void> {
    if (this.#socket.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        this.#socket.off('drain', done).off('close', done)
        resolve()
      }
      this.#socket.on('drain', done).on('close', done)
    })
  }

  /** More than the feed has taken is left in the socket. */
  #regulate(): void {
    const full = this.incoming.size >= this.#limits.incomingBytes
    if (full && !this.#ws?.isPaused) this.#ws?.pause()
    if (!full && this.#ws?.isPaused) this.#ws.resume()
  }

  heard(): void {
    this.#isAlive = true
  }

  received(data: Buffer, isBinary: boolean): void {
    this.#isAlive = true
    if (this.#end) return
    if (this.#accepted!.takes) {
      this.incoming.push(isBinary ? data : data.toString('utf8'))
      this.#regulate()
    } else this.end(ends.unasked)
  }

  closed(code: number): void {
    this.#incoming?.end()
    this.#stop.abort()
    const { error } = this.#end ?? {}
    this.#accepted!.closed({ code: this.#end?.code ?? code, bytes: this.#bytes, error })
  }
}
