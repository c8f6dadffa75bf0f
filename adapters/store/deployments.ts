import type { Deployments } from '../../functions/core/ports/deployments.ts'
import type { CancelRequest } from '../../functions/core/records/cancel-request.ts'
import type { Deployment } from '../../functions/core/records/deployment.ts'
import { endOf, isMadeIn } from '../../functions/core/records/time-range.ts'
import { type Item, newRevision, packed, ttlAt, unpacked } from './item.ts'
import { absent, type Condition, type Table } from './table.ts'

const running = 'deployments-running'

/**
 * How long a request to cancel is kept: longer than a service that died in a deployment stays down.
 * Milliseconds.
 */
const cancelKept = 90 * 86_400_000

/**
 * Stores a deployment as an item under its stack (`deployments#<stack>`, id), so that a list is one
 * query. Until its end is in the audit log, the index also lists it (`deployments-running`, id).
 * The index may lag behind, so its results are read again from the table. A request to cancel is an
 * item of its own (`cancel#<stack>`, id), because each save replaces the deployment.
 */
export function storedDeployments(table: Table): Deployments {
  const listOpen = async () => {
    const indexed = await table.queryIndex(running, { newestFirst: true })
    const items = await table.getMany(indexed.map(({ pk, sk }) => ({ pk, sk })))
    return items
      .map((item) => unpacked<Deployment>(item))
      .sort((one, other) => (one.id < other.id ? 1 : -1))
  }
  return {
    async find(stack, id) {
      const item = await table.get(`deployments#${stack}`, id)
      return item && unpacked<Deployment>(item)
    },
    async listByStack(stack, limit, { where = () => true, ...range } = {}) {
      const found: Deployment[] = []
      let after = endOf(range)
      while (found.length < limit) {
        const items = await table.query(`deployments#${stack}`, { newestFirst: true, limit, after })
        const asked = items.filter(({ sk }) => isMadeIn(sk, range))
        found.push(...asked.map((item) => unpacked<Deployment>(item)).filter(where))
        if (asked.length < limit) break
        after = items.at(-1)?.sk
      }
      return found.slice(0, limit)
    },
    async create(deployment) {
      await table.put(itemOf(deployment), absent)
    },
    save: (deployment) => table.put(itemOf(deployment), notLaterThan(deployment.fence ?? 0)),
    async listRunning() {
      return (await listOpen()).filter(({ status }) => status === 'running')
    },
    async listUnaudited() {
      return (await listOpen()).filter(isUnaudited)
    },
    async removeByStack(stack) {
      const items = await table.query(`deployments#${stack}`)
      await table.removeMany(items.map(({ pk, sk }) => ({ pk, sk })))
    },
    async listIds(stack) {
      const options = { newestFirst: true, attributes: [] }
      return (await table.query(`deployments#${stack}`, options)).map(({ sk }) => sk)
    },
    // Only deployments that run or are not audited have index keys.
    removeEnded: (stack, id) =>
      table.remove(
        { pk: `deployments#${stack}`, sk: id },
        { if: 'attribute_exists(#pk) AND attribute_not_exists(#gsi1pk)' },
      ),
    async requestCancel(stack, id, request) {
      const ttl = ttlAt(request.at + cancelKept)
      await table.put({ pk: `cancel#${stack}`, sk: id, ttl, ...packed(request) }, absent)
    },
    async findCancelRequest(stack, id) {
      const item = await table.get(`cancel#${stack}`, id)
      return item && unpacked<CancelRequest>(item)
    },
  }
}

/** The record is there and was not written under a later lease. */
const notLaterThan = (fence: number): Condition => ({
  if: 'attribute_exists(#pk) AND (attribute_not_exists(#fence) OR #fence <= :fence)',
  values: { fence },
})

const isUnaudited = ({ status, unaudited }: Deployment) =>
  status !== 'running' && unaudited !== undefined

const itemOf = (deployment: Deployment): Item => ({
  pk: `deployments#${deployment.stack}`,
  sk: deployment.id,
  ...(deployment.status === 'running' || isUnaudited(deployment)
    ? { gsi1pk: running, gsi1sk: deployment.id }
    : {}),
  ...(deployment.fence === undefined ? {} : { fence: deployment.fence }),
  rev: newRevision(),
  ...packed(deployment),
})
