import type { z } from 'zod'
import type { Caller } from '../core/access/account.ts'
import type { Required } from '../core/access/grant.ts'
import type { FailureStatus } from '../core/errors.ts'
import type { Message } from '../core/feeds/message.ts'
import { type FeedHandler, type FeedPorts, feedOpener } from './feed-opener.ts'

/**
 * Yielded first by a feed that has nothing to say yet: from here on it is open. What a feed throws before its first yield
 * is answered with a status, in place of the upgrade.
 */
export const ready = Symbol('ready')
/** What a feed yields. */
export type Sent = Message | typeof ready
/** Messages that only have to be handed on. Its `return` ends it at once, also while somebody waits for what is next. */
export interface Rest {
  next(): Promise<IteratorResult<Message>>
  return(): Promise<unknown>
}

/** What a feed says itself, and what it leaves to be handed on, if anything. */
// biome-ignore lint/suspicious/noConfusingVoidType: what a generator returns that returns nothing
export type Own = AsyncGenerator<Sent, Rest | void, void>

type Shape = z.ZodObject | undefined
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** What `run` is given. */
export interface FeedInput<P extends Shape, Q extends Shape> {
  path: Parsed<P>
  query: Parsed<Q>
  caller: Caller
  /** What the client sends, for a feed that `takes` messages: text as strings. Ends when the client has gone. */
  incoming: AsyncIterable<string | Uint8Array>
  /** Aborted when the client has gone or must go: nothing that is yielded then arrives. */
  signal: AbortSignal
  request: { id: string; ip: string; userAgent: string }
}

/** The facts of a feed, from which its checks and its description are derived. */
export interface FeedFacts {
  summary: string
  description?: string
  access: Required
  path?: z.ZodObject
  query?: z.ZodObject
  /** A text message that it sends, as JSON; none is for a feed of bytes. */
  sends?: z.ZodType
  /** True when it reads messages: from others a message ends the feed. */
  takes?: boolean
  /** What it promises to refuse before the upgrade, beyond 400, 401, 403 and 500. */
  fails?: Partial<Record<FailureStatus, string>>
}

export interface FeedSpec<P extends Shape, Q extends Shape, N> extends FeedFacts {
  path?: P & z.ZodObject
  query?: Q & z.ZodObject
  /**
   * Yields the messages. Its return closes with 1000; what it throws with 1008 (a `Failure` 400, 401 or 403), 1013 (`TooSlow`)
   * or 1011. Between two yields it waits for the client to have taken most of what was sent. Where all that is left is to
   * hand on what others bring it returns that, and what it held itself is let go: a feed that waits weighs little then. It
   * must not yield between its getting that and its return.
   */
  run(input: FeedInput<P, Q>, ports: N): Own
}

/** A feed: its facts, and `with(ports)`, which opens it for one client. */
export interface Feed<Placeholder extends string = any, N = any> {
  readonly facts: FeedFacts
  with(ports: N & FeedPorts): FeedHandler
  /** Only for the compiler: the names of the path's placeholders. */
  readonly placeholders?: (name: Placeholder) => Placeholder
}

type Names<P> = P extends z.ZodObject<infer S> ? Extract<keyof S, string> : never

/** Makes a feed. Everything but `run` is said once here and enforced for every connection. */
export function feed<P extends Shape = undefined, Q extends Shape = undefined, N = unknown>(
  spec: FeedSpec<P, Q, N>,
): Feed<Names<P>, N> {
  return {
    facts: spec,
    with: (ports) =>
      feedOpener(spec, (input, scoped) => spec.run(input as any, scoped as N), ports),
  }
}
