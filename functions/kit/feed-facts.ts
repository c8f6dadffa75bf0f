import type { z } from 'zod'
import type { Required } from '../core/access/grant.ts'
import type { FailureStatus } from '../core/errors.ts'
import type { Caller } from '../core/records/account.ts'
import type { Message } from '../core/streams/message.ts'
import type { AuditNote } from './audit-row.ts'
import type { Parsed, Shape } from './endpoint-facts.ts'

/**
 * Yielded first by a feed that has nothing to send yet: it is open from then on. An error thrown
 * before the first yield is answered with a status instead of the upgrade.
 */
export const ready = Symbol('ready')
/** A value that a feed yields: a message, or `ready`. */
export type FeedValue = Message | typeof ready
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
export type FeedStream = AsyncGenerator<FeedValue, Rest | void, void>

/** The argument of `run`: validated input and the caller. */
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
  /** Adds facts to the audit rows of a feed that changes something. */
  note: (more: AuditNote) => void
  /** Sets what the feed needs besides its permission, to be checked with it while it is open. */
  needs: (check: FeedCheck) => void
}

/**
 * Checks that a feed may stay open, with the rights that its caller has now.
 *
 * @throws 403 if it must end
 */
export type FeedCheck = (now: Caller) => Promise<void>

/** Input of which only the feed knows the types of the path and the query. */
export interface AnyFeedInput extends Omit<FeedInput<undefined, undefined>, 'path' | 'query'> {
  path: unknown
  query: unknown
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
  /** True if the feed itself is a change, which lasts until its end. How it ended is recorded. */
  changes?: boolean
  /** True if what it sends is secret: its opening is recorded, as that of a read. */
  readsSecrets?: true
  /** True if the feed reads messages. On any other feed a message closes the connection. */
  receives?: boolean
  /** The errors that it documents before the upgrade, besides 400, 401, 403 and 500. */
  errors?: Partial<Record<FailureStatus, string>>
}
