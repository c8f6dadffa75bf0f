import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Operations } from '../../../functions/core/ports/operations.ts'
import type { CancelRequest } from '../../../functions/core/records/cancel-request.ts'
import {
  isOpenOperation,
  type Operation,
  type OperationHead,
  operationExpiry,
} from '../../../functions/core/records/operation.ts'

/** Returns an in-memory store of operations. */
export function memoryOperations(clock: Pick<Clock, 'now'>): Operations {
  const operations = new Map<string, Operation>()
  const cancelRequests = new Map<string, CancelRequest | 'closed'>()
  const isKept = (operation: Operation) =>
    (operationExpiry(operation) ?? Number.POSITIVE_INFINITY) > clock.now()
  const newestFirst = () =>
    [...operations.values()].filter(isKept).sort((a, b) => (a.id < b.id ? 1 : -1))
  const headOf = ({ result: _, ...head }: Operation): OperationHead => structuredClone(head)
  const findCancelRequest = async (id: string) => {
    const found = cancelRequests.get(id)
    return found === 'closed' ? undefined : structuredClone(found)
  }
  return {
    async find(id) {
      const found = operations.get(id)
      return found && isKept(found) ? structuredClone(found) : undefined
    },
    async list({ before, hosts, where = () => true, limit }) {
      const asked = newestFirst().filter(
        (one) =>
          (before === undefined || one.id < before) &&
          (!hosts || hosts.includes(one.hostId)) &&
          where(one),
      )
      const operations = asked.slice(0, limit).map(headOf)
      return { operations, next: asked.length > limit ? operations.at(-1)?.id : undefined }
    },
    async create(operation) {
      operations.set(operation.id, structuredClone(operation))
    },
    async save(operation) {
      const known = operations.get(operation.id)
      if (!known || known.fence > operation.fence) return false
      operations.set(operation.id, structuredClone(operation))
      return true
    },
    async listOpen() {
      return newestFirst().filter(isOpenOperation).map(headOf)
    },
    async requestCancel(id, request) {
      if (!cancelRequests.has(id)) cancelRequests.set(id, { ...request })
      return cancelRequests.get(id) !== 'closed'
    },
    async closeToCancel(id) {
      if (!cancelRequests.has(id)) cancelRequests.set(id, 'closed')
      return findCancelRequest(id)
    },
    findCancelRequest,
  }
}
