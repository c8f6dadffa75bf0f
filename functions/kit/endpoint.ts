import type { z } from 'zod'
import type { Caller } from '../core/access/account.ts'
import type { Permission } from '../core/access/permissions.ts'
import type { FailureStatus } from '../core/errors.ts'
import type { AuditNote } from './audit-row.ts'
import type { AuthenticationPorts } from './authenticate.ts'
import type { Handler } from './event.ts'
import { pipeline } from './pipeline.ts'
import type { Reply, TextReply } from './reply.ts'

/** Who may call: a permission, anyone with a good credential, or anyone at all. */
export type Access = Permission | 'signed-in' | 'public'

/** An object schema, or none. */
type Shape = z.ZodObject | undefined
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** What `run` is given: parsed and checked, and for all but public endpoints the caller. */
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
  /** Fires when nobody waits for the answer any more: for work that is of no use then, where the endpoint `waits`. */
  signal: AbortSignal
  /** Adds to the audit row of the request what its path does not say. */
  note(more: AuditNote): void
  /** Records that the change begins, once: for what `beginsWithLease` says and is changed without one. */
  begin(): Promise<void>
  /**
   * Says that the change is done while its record is still being written: that it succeeded is recorded at the same time, and
   * a failure after it too. The answer waits for both.
   */
  end(): void
}

/** The facts of an endpoint, from which its checks, its description and the client's types are derived. */
export interface EndpointFacts {
  summary: string
  description?: string
  access: Access
  path?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The shape of the answer; none is 204. */
  returns?: z.ZodType
  /** The usual status of success: 200, or 204 without `returns` and `produces`. */
  status?: 200 | 201 | 202 | 204 | 302
  /** Further statuses that are no failure, as 202 where the caller may choose not to wait. */
  also?: Partial<Record<200 | 202 | 304, string>>
  /** What the endpoint promises to refuse, beyond what every endpoint may answer (400, 401, 403, 500). */
  fails?: Partial<Record<FailureStatus, string>>
  /** Whether a call changes something, and is recorded for that; all but GET do unless it is said here. */
  changes?: boolean
  /**
   * True where all changes are made under a lease: that they begin is recorded while the lease is taken, not before `run`. With
   * nothing to change there is no lease and no beginning.
   */
  beginsWithLease?: boolean
  /**
   * True for a change that has no effect before its response: it has one audit row, written when it
   * is done and before the response, instead of one for its beginning and one for its end.
   */
  recordedOnce?: boolean
  /** Bytes of body; 1 MiB unless given. */
  bodyLimit?: number
  /** The field that is nearly all of a large body, of the schema `Base64`: it is decoded where it lies. */
  bulkField?: string
  /** True for work that goes through many megabytes: the host sees to it that what is done with leaves memory soon. */
  bulky?: boolean
  /** True for an answer that may take as long as it needs: no request time-out applies. */
  waits?: boolean
  /** True where a parameter of the path may hold slashes, sent as `%2F`: everywhere else such a path is a 404. */
  slashes?: boolean
  /** Content type of an answer that is text; JSON unless given. */
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

/** An endpoint: its facts, and `with(ports)`, the plain `(event) → response`. */
export interface Endpoint<Placeholder extends string = any, N = any> {
  readonly facts: EndpointFacts
  with(ports: N & AuthenticationPorts): Handler
  /** Only for the compiler: the names of the path's placeholders. */
  readonly placeholders?: (name: Placeholder) => Placeholder
}

type Names<P> = P extends z.ZodObject<infer S> ? Extract<keyof S, string> : never

/** Makes an endpoint. Everything but `run` is said once here and enforced for every request. */
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
