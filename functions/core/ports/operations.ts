import type { CancelRequest } from '../records/cancel-request.ts'
import type { Operation, OperationHead } from '../records/operation.ts'

/** A filter for operations. */
export interface OperationQuery {
  /** Only those that began before the one with this ID. */
  before?: string | undefined
  /** Only those on these hosts. */
  hosts?: readonly string[]
  /** Only those for which it returns true. The limit counts these. */
  where?: (operation: OperationHead) => boolean
  limit: number
}

/**
 * A part of a list. `next` is the id before which the list goes on; undefined if it ends with this
 * part.
 */
export interface OperationPage {
  operations: OperationHead[]
  next: string | undefined
}

/** Operations that a list reads before it stops and reports that there are more. */
export const operationsReadMax = 10_000

/** Operations, which are kept for a day after their end. */
export interface Operations {
  find(id: string): Promise<Operation | undefined>
  /**
   * Returns operations, newest first. A part has fewer than the limit, or none, if
   * `operationsReadMax` were read for it.
   */
  list(query: OperationQuery): Promise<OperationPage>
  create(operation: Operation): Promise<void>
  /**
   * Replaces the whole record. Returns false, and changes nothing, if it was removed or was written
   * under a later lease (`fence`).
   */
  save(operation: Operation): Promise<boolean>
  /**
   * Returns the operations of all processes that run, even if their process died, and those whose
   * end is not in the audit log. One that began at this moment may be missing.
   */
  listOpen(): Promise<OperationHead[]>
  /**
   * Stores the request to cancel an operation, for the process that runs it. The first request for
   * an operation stays. Returns false, and stores nothing, after `closeToCancel`.
   */
  requestCancel(id: string, request: CancelRequest): Promise<boolean>
  /**
   * Ends the time in which an operation can be cancelled, unless a request came first: returns that
   * one. Only the process that runs the operation calls this.
   *
   * @param at now, in milliseconds since the epoch
   */
  closeToCancel(id: string, at: number): Promise<CancelRequest | undefined>
  /** Returns the request to cancel an operation, or undefined if there is none. */
  findCancelRequest(id: string): Promise<CancelRequest | undefined>
}
