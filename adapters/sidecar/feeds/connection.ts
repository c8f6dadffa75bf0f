import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { Caller } from '../../../functions/core/access/account.ts'
import type { Required } from '../../../functions/core/access/grant.ts'
import type { Message } from '../../../functions/core/feeds/message.ts'
import { ignoreResult } from '../../../functions/core/promises.ts'
import { type FeedFacts, type Rest, ready, type Sent } from '../../../functions/kit/feed.ts'
import { endOf, ends, type FeedEnd } from '../../../functions/kit/feed-end.ts'
import type { FeedLink, OpenFeed } from '../../../functions/kit/feed-opener.ts'
import { type Incoming, incomingQueue } from './incoming.ts'
import type { FeedLimits } from './limits.ts'
import type { FeedClose } from './upgrade.ts'
import type { FeedSocket, SocketOwner } from './web-sockets.ts'

/** Messages after which a feed lets the others have their turn. */
const turnEvery = 64

const owner = Symbol('connection')
type Owned = Duplex & { [owner]?: Connection }

/** Listeners that all connections share: closures of their own would be a fifth of what an idle one weighs. */
const listeners = {
  ignore() {},
  gone(this: Owned) {
    this[owner]?.giveUp()
  },
}

/** What connections tell who keeps them: all share one. */
export interface ConnectionTies {
  /** After its last. */
  forget(connection: Connection): void
  /** So many bytes are on their way to the client. */
  sent(bytes: number): void
}

/** A client of a feed: from its request to the end of its connection. There are many, most of them idle: it holds little. */
export class Connection implements FeedLink, SocketOwner {
  readonly #limits: FeedLimits
  readonly #socket: Owned
  #stop: AbortController | undefined
  #isOver = false
  #incoming: Incoming | undefined
  #ws: FeedSocket | undefined
  #caller: Caller | undefined
  #hosts: ReadonlySet<string> | undefined
  #messages: OpenFeed['messages'] | Rest | undefined
  #rest: Rest | undefined
  #facts: FeedFacts | undefined
  #closed: ((close: FeedClose) => void) | undefined
  readonly #ties: ConnectionTies
  #end: FeedEnd | undefined
  #bytes = 0
  /** Bytes that had left by the last look, and whether the client gave a sign since. */
  #gone = 0
  #isAlive = true
  /** When it was last asked for a sign. */
  #asked = 0
  /** Looks at its rights that failed one after the other. */
  doubts = 0

  /** Resets of the socket are no error of the service, from the first moment on. */
  constructor(socket: Duplex, limits: FeedLimits, ties: ConnectionTies) {
    this.#socket = socket
    this.#limits = limits
    this.#ties = ties
    this.#socket[owner] = this
    socket.on('error', listeners.ignore)
    socket.on('close', listeners.gone)
  }

  /** Made when it is asked for, and let go when what sends does not need it any more: it weighs a kilobyte. */
  get signal(): AbortSignal {
    this.#stop ??= new AbortController()
    if (this.#isOver) this.#stop.abort()
    return this.#stop.signal
  }

  get incoming(): Incoming {
    this.#incoming ??= incomingQueue(() => this.#regulate())
    return this.#incoming
  }

  get caller(): Caller {
    return this.#caller!
  }

  get access(): Required {
    return this.#facts!.access
  }

  get hosts(): ReadonlySet<string> {
    return this.#hosts!
  }

  /** Listens to the socket no more: a WebSocket is made of it, which tells of its end. */
  release(): void {
    this.#socket.off('error', listeners.ignore).off('close', listeners.gone)
  }

  /** Sends what the feed yields until one side ends it; `closed` is called when its connection is over. */
  start(
    ws: FeedSocket,
    feed: OpenFeed,
    { facts, closed }: { facts: FeedFacts; closed(close: FeedClose): void },
  ): void {
    this.#ws = ws
    this.#caller = feed.caller
    this.#hosts = feed.hosts
    this.#facts = facts
    this.#closed = closed
    ws.owner = this
    this.#messages = feed.messages
    if (feed.rest) this.#handOver(feed.rest)
    void this.#send(feed.first)
  }

  /** Ends the feed from this side; the first end counts. */
  end(end: FeedEnd): void {
    if (this.#end || !this.#ws) return
    this.#end = end
    this.#ws.close(end.code, end.reason)
    this.giveUp()
    this.#ws.resume()
  }

  /** Lets go of the feed: its client has gone, or does not get it. */
  giveUp(): void {
    this.#isOver = true
    this.#stop?.abort()
    if (this.#rest) ignoreResult(this.#rest.return())
  }

  /** Cuts the connection. */
  terminate(): void {
    this.#ws?.terminate()
  }

  /** Called now and then: who gave no sign since the last time is gone, who took nothing of what waits is too slow. */
  look(): void {
    const ws = this.#ws!
    const now = performance.now()
    // Turns are not as far apart as they should be when others come and go: who was just asked has not had his time.
    if (this.#asked > 0 && now - this.#asked < this.#limits.ping * 0.75) return
    this.#asked = now
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

  /** What the feed returned sends from now on: nothing else of it is needed. */
  #handOver(rest: Rest): void {
    this.#messages = rest
    this.#rest = rest
    this.#stop = undefined
    if (this.#isOver) ignoreResult(rest.return())
  }

  async #send(first: Sent | undefined): Promise<void> {
    try {
      let sent = first
      for (let count = 1; sent !== undefined && !this.#isOver; count += 1) {
        if (sent !== ready) this.#write(sent)
        if (this.#ws!.bufferedAmount > this.#limits.sendBytes) await this.#drained()
        // A feed that always has something must not keep the others from their turn.
        else if (count % turnEvery === 0) await turn()
        const next = await this.#messages!.next()
        if (next.done && next.value) this.#handOver(next.value)
        sent = next.done ? next.value && ready : next.value
      }
      this.end(ends.over)
    } catch (error) {
      // What a feed throws after its client has gone is the going itself.
      if (!this.#isOver) this.end(endOf(error))
    } finally {
      ignoreResult(this.#messages!.return())
    }
  }

  #write(message: Message): void {
    const ws = this.#ws!
    if (ws.readyState !== ws.OPEN) return
    const binary = message instanceof Uint8Array
    const data = typeof message === 'string' || binary ? message : message.bytes
    const bytes = Buffer.byteLength(data)
    this.#bytes += bytes
    ws.send(data, { binary })
    this.#ties.sent(bytes)
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
    if (this.#facts!.takes) {
      this.incoming.push(isBinary ? data : data.toString('utf8'))
      this.#regulate()
    } else this.end(ends.unasked)
  }

  closed(code: number): void {
    this.#incoming?.end()
    this.giveUp()
    this.#ties.forget(this)
    const { error } = this.#end ?? {}
    this.#closed!({ code: this.#end?.code ?? code, bytes: this.#bytes, error })
  }
}
