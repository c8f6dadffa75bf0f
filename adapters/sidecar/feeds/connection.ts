import type { Duplex } from 'node:stream'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { must } from '../../../functions/compose/must.ts'
import type { Required } from '../../../functions/core/access/grant.ts'
import { ignoreResult } from '../../../functions/core/promises.ts'
import type { Caller } from '../../../functions/core/records/account.ts'
import type { Message } from '../../../functions/core/streams/message.ts'
import { closingMessage } from '../../../functions/kit/feed-closing.ts'
import { brokenBy, closeText, ends, type FeedEnd } from '../../../functions/kit/feed-end.ts'
import {
  type FeedCheck,
  type FeedFacts,
  type FeedValue,
  type Rest,
  ready,
} from '../../../functions/kit/feed-facts.ts'
import type { FeedLink, OpenFeed } from '../../../functions/kit/feed-opener.ts'
import { type Incoming, incomingQueue } from './incoming.ts'
import type { FeedLimits } from './limits.ts'
import type { FeedClose } from './upgrade.ts'
import type { FeedSocket, SocketOwner } from './web-sockets.ts'

/** Messages after which a feed yields to the others. */
const yieldEvery = 64
/**
 * Consecutive checks without a byte sent after which a client with pending data is too slow, even
 * if it responds. A slow one reads more than a send buffer of the system in this time.
 */
const stalledChecksMax = 4

/** What all connections of a server share. */
export interface SharedByConnections {
  /** Called when a connection is over. */
  forget(connection: Connection): void
  /** Returns the end of a feed that failed. `hosts` are those that it used. */
  endOf(error: unknown, hosts: ReadonlySet<string>): Promise<FeedEnd>
}

const owner = Symbol('connection')
type Owned = Duplex & { [owner]?: Connection }

/**
 * Listeners shared by all connections: closures of their own would be a fifth of the memory of an
 * idle one.
 */
const listeners = {
  ignore() {},
  gone(this: Owned) {
    this[owner]?.giveUp()
  },
}

/**
 * A client of a feed, from its request to the end of its connection. There can be many, most of
 * them idle, so it holds little memory.
 */
export class Connection implements FeedLink, SocketOwner {
  readonly #limits: FeedLimits
  readonly #socket: Owned
  #stop: AbortController | undefined
  #isOver = false
  #incoming: Incoming | undefined
  #ws: FeedSocket | undefined
  #caller: Caller | undefined
  #hosts: ReadonlySet<string> | undefined
  #check: FeedCheck | undefined
  #messages: OpenFeed['messages'] | Rest | undefined
  #rest: Rest | undefined
  #facts: FeedFacts | undefined
  #closed: ((close: FeedClose) => void) | undefined
  readonly #shared: SharedByConnections
  #end: FeedEnd | undefined
  /** The exit code of its container, once that has ended. */
  #exitCode: number | null | undefined
  #bytes = 0
  /** Bytes that had left the buffer by the last check. */
  #sentBytes = 0
  /** Consecutive checks at which data was pending and none had left the buffer. */
  #stalledChecks = 0
  /** Whether the client has responded since the last check. */
  #isAlive = true
  /** When the client was last pinged. */
  #lastPing = 0
  /** Consecutive checks of its permissions that failed. */
  failedChecks = 0

  /**
   * Takes the socket. A reset of it is never an error of the service, so it listens from the start.
   *
   * @param shared one object for all connections
   */
  constructor(socket: Duplex, limits: FeedLimits, shared: SharedByConnections) {
    this.#socket = socket
    this.#limits = limits
    this.#shared = shared
    this.#socket[owner] = this
    socket.on('error', listeners.ignore)
    socket.on('close', listeners.gone)
  }

  /** Created on first use, and released when the sender no longer needs it: it takes a kilobyte. */
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
    return must(this.#caller, 'caller')
  }

  get access(): Required {
    return must(this.#facts, 'facts').access
  }

  get hosts(): ReadonlySet<string> {
    return must(this.#hosts, 'hosts')
  }

  get needs(): FeedCheck | undefined {
    return this.#check
  }

  /** Stops listening to the socket: the WebSocket made from it reports its end. */
  release(): void {
    this.#socket.off('error', listeners.ignore).off('close', listeners.gone)
  }

  /**
   * Sends what the feed yields until one side ends it. Calls `closed` when its connection is over.
   */
  start(
    ws: FeedSocket,
    feed: OpenFeed,
    { facts, closed }: { facts: FeedFacts; closed(close: FeedClose): void },
  ): void {
    this.#ws = ws
    this.#caller = feed.caller
    this.#hosts = feed.hosts
    this.#check = feed.check
    this.#facts = facts
    this.#closed = closed
    ws.owner = this
    this.#messages = feed.messages
    if (feed.rest) this.#handOver(feed.rest)
    void this.#send(ws, feed.first)
  }

  /**
   * Ends the feed from this side, and says why: in a last message of a feed of JSON, and in the
   * close frame of each. Only the first call counts.
   */
  end(end: FeedEnd): void {
    if (this.#end || !this.#ws) return
    this.#end = end
    if (this.#facts?.sends) {
      const exitCode = end.code === ends.over.code ? this.#exitCode : undefined
      this.#write(this.#ws, closingMessage(end, exitCode))
    }
    this.#ws.close(end.code, closeText(end))
    this.giveUp()
    this.#ws.resume()
  }

  /** Stops the feed: its client has gone or was refused. */
  giveUp(): void {
    this.#isOver = true
    this.#stop?.abort()
    if (this.#rest) ignoreResult(this.#rest.return())
  }

  /** Closes the connection without a handshake. */
  terminate(): void {
    this.#ws?.terminate()
  }

  /**
   * Called periodically. Terminates a client that did not respond since the last check, and ends
   * the feed of one that reads nothing of the pending data: at once if it does not respond either.
   */
  check(): void {
    const ws = must(this.#ws, 'socket')
    const now = performance.now()
    // Visits can be closer together than the period when clients come and go. A client that was
    // just pinged has not had the time to respond.
    if (this.#lastPing > 0 && now - this.#lastPing < this.#limits.ping * 0.75) return
    this.#lastPing = now
    const sent = this.#bytes - ws.bufferedAmount
    // Pings are in the buffer too, so this number can shrink.
    const moved = sent > this.#sentBytes
    if (moved) this.#sentBytes = sent
    this.#stalledChecks = moved || ws.bufferedAmount === 0 ? 0 : this.#stalledChecks + 1
    const isStalled = this.#stalledChecks >= stalledChecksMax
    if (!isStalled && (this.#isAlive || moved || ws.isPaused)) {
      this.#isAlive = false
      if (ws.readyState === ws.OPEN) ws.ping()
    } else if (ws.bufferedAmount > 0 && !this.#end) this.end(ends.tooSlow)
    else ws.terminate()
  }

  /**
   * Lets the iterator that the feed returned send from now on, and releases the rest of the feed.
   */
  #handOver(rest: Rest): void {
    this.#messages = rest
    this.#rest = rest
    this.#stop = undefined
    if (this.#isOver) ignoreResult(rest.return())
  }

  async #send(ws: FeedSocket, first: FeedValue | undefined): Promise<void> {
    try {
      let sent = first
      for (let count = 1; sent !== undefined && !this.#isOver; count += 1) {
        if (sent !== ready) this.#write(ws, sent)
        if (this.#isFull(ws)) await this.#drained()
        // A feed that always has data must not starve the others.
        else if (count % yieldEvery === 0) await yieldToOthers()
        const next = await must(this.#messages, 'messages').next()
        if (next.done && next.value) this.#handOver(next.value)
        sent = next.done ? next.value && ready : next.value
      }
      this.end(ends.over)
    } catch (error) {
      // After the client disconnected, an error of the feed is only a consequence of that.
      if (!this.#isOver) this.end(await this.#shared.endOf(error, this.#hosts ?? new Set()))
    } finally {
      if (this.#messages) ignoreResult(this.#messages.return())
    }
  }

  #write(ws: FeedSocket, message: Message): void {
    if (ws.readyState !== ws.OPEN) return
    const binary = message instanceof Uint8Array
    const isPlain = typeof message === 'string' || binary
    const data = isPlain ? message : message.bytes
    if (!isPlain && message.exitCode !== undefined) this.#exitCode = message.exitCode
    const bytes = Buffer.byteLength(data)
    this.#bytes += bytes
    ws.send(data, { binary })
  }

  /** Returns whether as much is pending that the socket will report when it has been sent. */
  #isFull(ws: FeedSocket): boolean {
    return ws.bufferedAmount >= this.#socket.writableHighWaterMark
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

  /** Back-pressure: stops reading the socket while the feed is behind. */
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
    if (this.#facts?.receives) {
      this.incoming.push(isBinary ? data : data.toString('utf8'))
      this.#regulate()
    } else this.end(ends.unasked)
  }

  broken(code: number): void {
    this.end(brokenBy(code))
  }

  closed(code: number): void {
    this.#incoming?.end()
    this.giveUp()
    this.#shared.forget(this)
    const { error, reason } = this.#end ?? {}
    const bytes = this.#bytes
    this.#closed?.({ code: this.#end?.code ?? code, bytes, error, reason: reason ?? undefined })
  }
}
