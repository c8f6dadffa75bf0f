import { operationView } from '../core/operations/operation-view.ts'
import type { Operation } from '../core/records/operation.ts'
import { accepted } from './wait.ts'

/** Returns the 202 of an operation that a request does not wait for. */
export const acceptedOperation = (operation: Operation) =>
  accepted(operationView(operation), operation.id, 'operations', operation.id)
