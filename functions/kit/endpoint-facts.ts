import type { z } from 'zod'
import type { FailureStatus } from '../core/errors.ts'
import type { Caller } from '../core/records/account.ts'
import type { AuditTrail } from '../core/records/audit-row.ts'
import type { Permission } from '../core/records/permissions.ts'
import type { AuditNote } from './audit-row.ts'
import type { IfMatch } from './if-match.ts'

/** The access that an endpoint requires: a permission, any valid credential, or nothing. */
export type Access = Permission | 'signed-in' | 'public'

/** An object schema, or none. */
export type Shape = z.ZodObject | undefined
/** The output type of a schema. */
export type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** The argument of `run`: validated input and, except for public endpoints, the caller. */
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
  /** Which versions of the thing the request applies to. For endpoints with `takesIfMatch`. */
  ifMatch: IfMatch
  /**
   * Aborts when the client no longer waits for the response. An endpoint with `noTimeout` uses it
   * to stop work that has become useless.
   */
  signal: AbortSignal
  /**
   * Yields the body as it was sent, while it arrives. Only for endpoints with `readsBytes`. A body
   * of any length may come: `run` counts.
   */
  bytes(): AsyncIterable<Uint8Array>
  /** Adds to the request's audit row what its path does not say. */
  note(more: AuditNote): void
  /**
   * Records the start of the change, at most once. An endpoint with `beginsWithLease` calls it
   * before a change that takes no lease.
   */
  begin(): Promise<void>
  /** Returns what the audit row of later work needs, which continues the row of this request. */
  trail(): AuditTrail
}

/** Input of which only the endpoint knows the types of the path, the query and the body. */
export interface AnyInput
  extends Omit<Input<Access, undefined, undefined, undefined>, 'path' | 'query' | 'body'> {
  path: unknown
  query: unknown
  body: unknown
}

/** A header of the responses with these statuses, which are successes or in `errors`. */
export interface ResponseHeader {
  description: string
  statuses: readonly number[]
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
  /** Request headers that `run` checks, by name, with the description of each. */
  headers?: Readonly<Record<string, string>>
  /** True if `run` may read the cookies of a request. Other endpoints do not get them. */
  readsCookies?: boolean
  body?: z.ZodType
  /** The shape of the response body; 204 if absent. */
  returns?: z.ZodType
  /** The shape of the body of a 202, where that is not `returns`. */
  accepts?: z.ZodType
  /** Headers that responses may have, by name. A text describes one of every success. */
  responseHeaders?: Readonly<Record<string, string | ResponseHeader>>
  /**
   * True if the request may have `If-Match`, and `run` checks it. Other changes refuse that header,
   * as they would overwrite what it is to protect. The endpoint that reads the thing returns it
   * with `versioned`.
   */
  takesIfMatch?: true
  /**
   * False if a POST that changes something takes no `Idempotency-Key`: what it creates must not be
   * sent twice, or is of no use later.
   */
  takesIdempotencyKey?: false
  /**
   * True if a success has a secret that is shown only once. It is not kept for the
   * `Idempotency-Key` of a request.
   */
  returnsSecret?: true
  /** The usual status of success. Defaults to 200, or 204 without `returns` and `produces`. */
  status?: 200 | 201 | 202 | 204 | 302
  /** Further statuses that are not failures, such as 202 if the caller may choose not to wait. */
  otherResponses?: Partial<Record<200 | 202 | 304, string>>
  /**
   * The errors that the endpoint documents, besides those of every endpoint (400, 401, 403, 500).
   */
  errors?: Partial<Record<FailureStatus, string>>
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
  /**
   * True if a read can return secrets. `run` notes `secretRead` when it does, and such a read is
   * recorded.
   */
  readsSecrets?: true
  /**
   * True if it needs connections to hosts, the private key for agents or a lasting disk, which only
   * a service has, or may take over a lease. Cloud functions pass such a request on. For what only
   * a service has, the compiler demands it by the ports.
   */
  atService?: true
  /** Largest body in bytes. Defaults to 1 MiB. */
  bodyLimit?: number
  /**
   * The field that makes up nearly all of a large body. Its schema is `Base64`, and it is decoded
   * in place.
   */
  bulkField?: string
  /** True if `run` reads the body itself, which is not parsed and can have any type. */
  readsBytes?: true
  /** True if the response may take any length of time: no request timeout applies. */
  noTimeout?: boolean
  /** True if the limit of requests per account holds in spite of `noTimeout`. */
  limitsCaller?: boolean
  /**
   * True if a path parameter may contain slashes, sent as `%2F`. Elsewhere such a path is a 404.
   */
  encodedSlashes?: boolean
  /** Content type of a text response. Defaults to JSON. */
  produces?: string
  examples?: { body?: unknown; returns?: unknown }
}
