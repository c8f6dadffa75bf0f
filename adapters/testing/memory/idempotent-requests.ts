import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { IdempotentRequests } from '../../../functions/core/ports/idempotent-requests.ts'
import type { IdempotentRequest } from '../../../functions/core/records/idempotent-request.ts'
import { memoryCollection } from './collection.ts'

/** Returns an in-memory store of requests with an `Idempotency-Key`. */
export function memoryIdempotentRequests(clock: Clock): IdempotentRequests {
  const requests = memoryCollection<IdempotentRequest>()
  const find: IdempotentRequests['find'] = async (id) => {
    const found = await requests.find(id)
    return found && found.expiresAt > clock.now() ? found : undefined
  }
  return {
    find,
    async create(request) {
      if (!(await find(request.id))) await requests.remove(request.id)
      return (await requests.create(request)) ? requests.find(request.id) : undefined
    },
    replace: requests.replace,
    remove: requests.remove,
  }
}
