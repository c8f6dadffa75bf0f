import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Stored } from '../../functions/core/ports/collection.ts'
import type { IdempotentRequests } from '../../functions/core/ports/idempotent-requests.ts'
import type { IdempotentRequest } from '../../functions/core/records/idempotent-request.ts'
import { ifUnchanged, unchanged } from './collection.ts'
import { type Item, newRevision, ttlAt } from './item.ts'
import { openedValue, type SecretKeys, sealedValue } from './sealed.ts'
import type { Table } from './table.ts'

/**
 * Stores a request as one encrypted item (`idempotent-request#<id>`) with the time when it expires
 * (`until`). An expired one is replaced as if it were gone.
 */
export function storedIdempotentRequests(
  table: Table,
  clock: Clock,
  keys: SecretKeys,
): IdempotentRequests {
  const sealed = (request: IdempotentRequest & { revision?: unknown }) => {
    const { revision: _, ...value } = request
    const until = { until: value.expiresAt, ttl: ttlAt(value.expiresAt) }
    const place = keyOf(value.id)
    return { ...place, rev: newRevision(), ...until, ...sealedValue(keys, place, value) }
  }
  const opened = (item: Item): Stored<IdempotentRequest> => ({
    ...openedValue<IdempotentRequest>(keys, item),
    revision: item.rev as number,
  })
  return {
    async find(id) {
      const { pk, sk } = keyOf(id)
      const item = await table.get(pk, sk)
      return item && (item.until as number) > clock.now() ? opened(item) : undefined
    },
    async create(request) {
      const item = sealed(request)
      const free = {
        if: 'attribute_not_exists(#pk) OR #until <= :now',
        values: { now: clock.now() },
      }
      return (await table.put(item, free)) ? { ...request, revision: item.rev } : undefined
    },
    async replace(request) {
      const item = sealed(request)
      const written = await table.put(item, unchanged(request.revision))
      return written ? { ...request, revision: item.rev } : undefined
    },
    remove: (id, revision) => table.remove(keyOf(id), ifUnchanged(revision)),
  }
}

const keyOf = (id: string) => ({ pk: `idempotent-request#${id}`, sk: '-' })
