import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Clock } from '../../functions/core/ports/clock.ts'
import { type Operations, operationsReadMax } from '../../functions/core/ports/operations.ts'
import type { CancelRequest } from '../../functions/core/records/cancel-request.ts'
import {
  isOpenOperation,
  type Operation,
  type OperationHead,
  operationExpiry,
  operationKept,
} from '../../functions/core/records/operation.ts'
import { type Item, newRevision, packed, ttlAt, unpacked } from './item.ts'
import { absent, type Table } from './table.ts'

const pk = 'operations'
const open = 'operations-open'
const cancels = 'operation-cancels'

/** Operations per query. */
const pageSize = 100

/** The attributes of an operation without its result, which may be large. */
const headAttributes = ['data', 'zip', 'ttl']

/**
 * Stores an operation as an item (`operations`, id). While it is open, the index also lists it
 * (`operations-open`, id). The index may lag behind, so its results are read again from the table.
 * A request to cancel is an item of its own (`operation-cancels`, id), because each save replaces
 * the operation. The same item says that requests come too late (`closed`), so that one write
 * decides between the two.
 */
export function storedOperations(table: Table, clock: Clock): Operations {
  const isKept = ({ ttl }: Item) => ttl === undefined || ttl * 1000 > clock.now()
  const findCancelRequest = async (id: string) => {
    const item = await table.get(cancels, id)
    return item && item.closed === undefined ? unpacked<CancelRequest>(item) : undefined
  }
  return {
    async find(id) {
      const item = await table.get(pk, id)
      return item && isKept(item) ? operationOf(item) : undefined
    },
    async list({ before, hosts, where = () => true, limit }) {
      const isAsked = (head: OperationHead) =>
        (!hosts || hosts.includes(head.hostId)) && where(head)
      const operations: OperationHead[] = []
      let after = before
      for (let read = 0; read < operationsReadMax; read += pageSize) {
        const options = { newestFirst: true, limit: pageSize, after, attributes: headAttributes }
        const items = await table.query(pk, options)
        const heads = items.filter(isKept).map((item) => unpacked<OperationHead>(item))
        for (const head of heads.filter(isAsked)) {
          if (operations.length === limit) return { operations, next: operations.at(-1)?.id }
          operations.push(head)
        }
        if (items.length < pageSize) return { operations, next: undefined }
        after = items.at(-1)?.sk
      }
      return { operations, next: after }
    },
    async create(operation) {
      await table.put(itemOf(operation), absent)
    },
    save: (operation) =>
      table.put(itemOf(operation), {
        if: 'attribute_exists(#pk) AND #fence <= :fence',
        values: { fence: operation.fence },
      }),
    async listOpen() {
      const indexed = await table.queryIndex(open, { attributes: [] })
      const keys = indexed.map(({ sk }) => ({ pk, sk }))
      const items = keys.length > 0 ? await table.getMany(keys, headAttributes) : []
      return items.map((item) => unpacked<OperationHead>(item)).filter(isOpenOperation)
    },
    async requestCancel(id, request) {
      const ttl = ttlAt(request.at + operationKept)
      const rev = newRevision()
      const item = { pk: cancels, sk: id, ttl, rev, ...packed(request) }
      if (await table.put(item, absent)) return true
      return (await findCancelRequest(id)) !== undefined
    },
    async closeToCancel(id, at) {
      const ttl = ttlAt(at + operationKept)
      const item = { pk: cancels, sk: id, ttl, rev: newRevision(), closed: 1 }
      return (await table.put(item, absent)) ? undefined : findCancelRequest(id)
    },
    findCancelRequest,
  }
}

function itemOf({ result, ...head }: Operation): Item {
  return {
    pk,
    sk: head.id,
    ...(isOpenOperation(head) ? { gsi1pk: open, gsi1sk: head.id } : {}),
    ttl: ttlAt(operationExpiry({ ...head })),
    fence: head.fence,
    rev: newRevision(),
    ...packed(head),
    ...(result && { result: deflateRawSync(JSON.stringify(result), { level: 3 }) }),
  }
}

function operationOf(item: Item): Operation {
  const head = unpacked<OperationHead>(item)
  const result = item.result && inflateRawSync(item.result as Uint8Array).toString()
  return { ...head, result: result ? JSON.parse(result) : null }
}
