import type { z } from 'zod'
import type { Shape } from './endpoint-facts.ts'
import type { FeedFacts, FeedInput, FeedStream } from './feed-facts.ts'
import { type FeedHandler, feedOpener } from './feed-opener.ts'
import type { FeedPorts } from './ticket.ts'

export interface FeedSpec<P extends Shape, Q extends Shape, S extends z.ZodType | undefined, N>
  extends FeedFacts {
  path?: P & z.ZodObject
  query?: Q & z.ZodObject
  sends?: S & z.ZodType
  /**
   * Yields the messages. A return closes the connection with 1000. An error closes it with 1008 (a
   * `Failure` 400, 401 or 403), 1013 (`TooSlow`) or 1011. Each yield waits until the client has
   * read most of what was sent.
   *
   * Once only messages from another source remain, the generator returns that source as `Rest`. Its
   * own memory is then freed, so an idle feed costs little. It must not yield between acquiring the
   * source and returning it.
   */
  run(input: FeedInput<P, Q>, ports: N): FeedStream
}

/** A feed: its facts, and `with(ports)`, which returns a function that opens it for one client. */
export interface Feed<Placeholder extends string, N, Wire = unknown> {
  readonly facts: FeedFacts
  with(ports: N & FeedPorts): FeedHandler
  /** For the compiler only: the names of the path's placeholders. */
  readonly placeholders?: (name: Placeholder) => Placeholder
  /** For the compiler only: what a client sends to open it, and the messages it receives. */
  readonly wire?: Wire
}

/** The query that opens a feed, and its messages after JSON; undefined for a feed of bytes. */
interface FeedWire<Q, S> {
  query: Q extends z.ZodType ? z.input<Q> : undefined
  sends: S extends z.ZodType ? z.output<S> : undefined
}

/** A feed with any path and ports, as found by its path. */
export type AnyFeed = Pick<Feed<never, unknown>, 'facts' | 'with'>

type Names<P> = P extends z.ZodObject<infer S> ? Extract<keyof S, string> : never

/** Makes a feed. Everything except `run` is declared once and enforced for every connection. */
export function feed<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  S extends z.ZodType | undefined = undefined,
  N = unknown,
>(spec: FeedSpec<P, Q, S, N>): Feed<Names<P>, N, FeedWire<Q, S>> {
  return {
    facts: spec,
    with: (ports) =>
      feedOpener(
        spec,
        (input, scoped) => spec.run(input as unknown as FeedInput<P, Q>, scoped as N),
        ports,
      ),
  }
}
