import type { IdempotentRequest } from '../records/idempotent-request.ts'
import type { Collection, Stored } from './collection.ts'

/**
 * Requests with an `Idempotency-Key`. An expired one counts as missing. Responses can hold secrets,
 * so they are encrypted.
 */
export interface IdempotentRequests
  extends Pick<Collection<IdempotentRequest>, 'find' | 'replace' | 'remove'> {
  /** Returns the record as stored, or undefined if the ID is taken. */
  create(request: IdempotentRequest): Promise<Stored<IdempotentRequest> | undefined>
}
