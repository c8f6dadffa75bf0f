import type { z } from 'zod'
import type { Caller } from '../core/access/account.ts'
import type { Permission } from '../core/access/permissions.ts'
import type { FailureStatus } from '../core/errors.ts'
import type { AuditNote } from './audit-row.ts'
import type { AuthenticationPorts } from './authenticate.ts'
import type { Handler } from './event.ts'
import { pipeline } from './pipeline.ts'
import type { Reply, TextReply } from './reply.ts'

/** What a caller needs: a permission, any valid credential, or nothing. */
export type Access = Permission | 'signed-in' | 'public'

/** An object schema, or none. */
type Shape = z.ZodObject | undefined
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** What `run` gets: parsed and checked input and, except for public endpoints, the caller. */
export interface Input<A extends Access, P extends Shape, Q extends Shape, B> {
  path: Parsed<P>
  query: Parsed<Q>
  body: Parsed<B>
  caller: A extends 'public' ? undefined : Caller
  request: {
    id: string
    ip: string
    userAgent: string
    headers: Record<string, string | undefined>
  }
  /**
   * Aborts when the client no longer waits for the response. An endpoint with `waits` uses it to
   * stop work that has become useless.
   */
  signal: AbortSignal
  /** Adds to the request's audit row what its path does not say. */
  note(more: AuditNote): void
  /**
   * Records the start of the change, at most once. An endpoint with `beginsWithLease` calls it
   * before a change that takes no lease.
   */
  begin(): Promise<void>
  /**
   * Starts recording the change as successful while `run` is still writing its own record of it. A
   * later failure is recorded too. The response waits for both.
   */
  end(): void
}

/**
 * The facts of an endpoint. Its checks, its description and the client's types are derived from
 * them.
 */
export interface EndpointFacts {
  summary: string
  description?: string
  access: Access
  path?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The shape of the response body; 204 if absent. */
  returns?: z.ZodType
  /** The usual status of success. Defaults to 200, or 204 without `returns` and `produces`. */
  status?: 200 | 201 | 202 | 204 | 302
  /** Further statuses that are not failures, such as 202 if the caller may choose not to wait. */
  also?: Partial<Record<200 | 202 | 304, string>>
  /**
   * The errors that the endpoint documents, besides those of every endpoint (400, 401, 403, 500).
   */
  fails?: Partial<Record<FailureStatus, string>>
  /**
   * Whether a call changes something and is therefore recorded. Defaults to true except for GET.
   */
  changes?: boolean
  /**
   * True if all changes are made under a lease: their start is recorded while the lease is
   * acquired, not before `run`. If nothing has to change, no lease is acquired and no start is
   * recorded.
   */
  beginsWithLease?: boolean
  /**
   * True for a change that has no effect before its response. It has one audit row, written when it
   * is done and before the response, instead of one for its start and one for its end.
   */
  recordedOnce?: boolean
  /** Largest body in bytes. Defaults to 1 MiB. */
  bodyLimit?: number
  /**
   * The field that makes up nearly all of a large body. Its schema is `Base64`, and it is decoded
   * in place.
   */
  bulkField?: string
  /** True for work that processes many megabytes: the host then frees memory soon afterwards. */
  bulky?: boolean
  /** True if the response may take any length of time: no request timeout applies. */
  waits?: boolean
  /**
   * True if a path parameter may contain slashes, sent as `%2F`. Elsewhere such a path is a 404.
   */
  slashes?: boolean
  /** Content type of a text response. Defaults to JSON. */
  produces?: string
  examples?: { body?: unknown; returns?: unknown }
}

type Awaitable<T> = T | Promise<T>
type Result<R> = R extends z.ZodType
  ? z.input<R> | Reply<z.input<R>> | TextReply
  : undefined | Reply<undefined> | TextReply

export interface EndpointSpec<
  A extends Access,
  P extends Shape,
  Q extends Shape,
  B extends z.ZodType | undefined,
  R extends z.ZodType | undefined,
  N,
> extends EndpointFacts {
  access: A
  path?: P & z.ZodObject
  query?: Q & z.ZodObject
  body?: B & z.ZodType
  returns?: R & z.ZodType
  run(input: Input<A, P, Q, B>, ports: N): Awaitable<Result<R>>
}

/**
 * An endpoint: its facts, and `with(ports)`, which returns a plain `(event) → response` function.
 */
export interface Endpoint<Placeholder extends string = any, N = any> {
  readonly facts: EndpointFacts
  with(ports: N & AuthenticationPorts): Handler
  /** For the compiler only: the names of the path's placeholders. */
  readonly placeholders?: (name: Placeholder) => Placeholder
}

type Names<P> = P extends z.ZodObject<infer S> ? Extract<keyof S, string> : never

/** Makes an endpoint. Everything except `run` is declared once and enforced for every request. */
export function endpoint<
  const A extends Access,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
  N = unknown,
>(spec: EndpointSpec<A, P, Q, B, R, N>): Endpoint<Names<P>, N> {
  return {
    facts: spec,
    with: (ports) => pipeline(spec, (input, scoped) => spec.run(input as any, scoped as N), ports),
  }
}
