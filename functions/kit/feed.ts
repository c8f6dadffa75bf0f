import type { z } from 'zod'
import type { Caller } from '../core/access/account.ts'
import type { Required } from '../core/access/grant.ts'
import type { FailureStatus } from '../core/errors.ts'
import type { Message } from '../core/feeds/message.ts'
import { type FeedHandler, type FeedPorts, feedOpener } from './feed-opener.ts'

/**
 * Yielded first by a feed that has nothing to send yet: it is open from then on. An error thrown
 * before the first yield is answered with a status instead of the upgrade.
 */
export const ready = Symbol('ready')
/** What a feed yields. */
export type Sent = Message | typeof ready
/**
 * Messages that only have to be forwarded. Its `return` ends it at once, even while a `next` is
 * pending.
 */
export interface Rest {
  next(): Promise<IteratorResult<Message>>
  return(): Promise<unknown>
}

/** A feed's own messages. It may return further ones to be forwarded. */
// biome-ignore lint/suspicious/noConfusingVoidType: a generator that returns nothing returns void
export type Own = AsyncGenerator<Sent, Rest | void, void>

type Shape = z.ZodObject | undefined
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** What `run` gets. */
export interface FeedInput<P extends Shape, Q extends Shape> {
  path: Parsed<P>
  query: Parsed<Q>
  caller: Caller
  /**
   * What the client sends, for a feed with `takes`; text arrives as strings. Ends when the client
   * has left.
   */
  incoming: AsyncIterable<string | Uint8Array>
  /**
   * Aborts when the client has left or is disconnected. Messages yielded after that do not arrive.
   */
  signal: AbortSignal
  request: { id: string; ip: string; userAgent: string }
}

/** The facts of a feed. Its checks and its description are derived from them. */
export interface FeedFacts {
  summary: string
  description?: string
  access: Required
  path?: z.ZodObject
  query?: z.ZodObject
  /** Schema of the JSON text messages that the feed sends. Absent for a feed of bytes. */
  sends?: z.ZodType
  /** True if the feed reads messages. On any other feed a message closes the connection. */
  takes?: boolean
  /** The errors that it documents before the upgrade, besides 400, 401, 403 and 500. */
  fails?: Partial<Record<FailureStatus, string>>
}

export interface FeedSpec<P extends Shape, Q extends Shape, N> extends FeedFacts {
  path?: P & z.ZodObject
  query?: Q & z.ZodObject
  /**
   * Yields the messages. A return closes the connection with 1000. An error closes it with 1008 (a
   * `Failure` 400, 401 or 403), 1013 (`TooSlow`) or 1011. Each yield waits until the client has
   * read most of what was sent.
   *
   * Once only messages from another source remain, the generator returns that source as `Rest`. Its
   * own memory is then freed, so an idle feed costs little. It must not yield between acquiring the
   * source and returning it.
   */
  run(input: FeedInput<P, Q>, ports: N): Own
}

/** A feed: its facts, and `with(ports)`, which returns a function that opens it for one client. */
export interface Feed<Placeholder extends string = any, N = any> {
  readonly facts: FeedFacts
  with(ports: N & FeedPorts): FeedHandler
  /** For the compiler only: the names of the path's placeholders. */
  readonly placeholders?: (name: Placeholder) => Placeholder
}

type Names<P> = P extends z.ZodObject<infer S> ? Extract<keyof S, string> : never

/** Makes a feed. Everything except `run` is declared once and enforced for every connection. */
export function feed<P extends Shape = undefined, Q extends Shape = undefined, N = unknown>(
  spec: FeedSpec<P, Q, N>,
): Feed<Names<P>, N> {
  return {
    facts: spec,
    with: (ports) =>
      feedOpener(spec, (input, scoped) => spec.run(input as any, scoped as N), ports),
  }
}
