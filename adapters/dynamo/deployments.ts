import type { Deployments } from '../../functions/core/stacks/ports.ts'
import type { Deployment } from '../../functions/core/stacks/stack.ts'
import { type Item, newRevision, packed, unpacked } from './item.ts'
import { absent, type Condition, type Table } from './table.ts'

const running = 'deployments-running'

/**
 * Stores a deployment as an item under its stack (`deployments#<stack>`, id), so that a list is one
 * query. While it runs, the index also lists it (`deployments-running`, id). The index may lag
 * behind, so its results are read again from the table.
 */
export function dynamoDeployments(table: Table): Deployments {
  return {
    async find(stack, id) {
      const item = await table.get(`deployments#${stack}`, id)
      return item && unpacked<Deployment>(item)
    },
    async listByStack(stack, limit) {
      const items = await table.query(`deployments#${stack}`, { newestFirst: true, limit })
      return items.map((item) => unpacked<Deployment>(item))
    },
    async create(deployment) {
      await table.put(itemOf(deployment), absent)
    },
    save: (deployment) => table.put(itemOf(deployment), notLaterThan(deployment.fence ?? 0)),
    async listRunning() {
      const indexed = await table.queryIndex(running, { newestFirst: true })
      const items = await table.getMany(indexed.map(({ pk, sk }) => ({ pk, sk })))
      return items
        .map((item) => unpacked<Deployment>(item))
        .filter(({ status }) => status === 'running')
        .sort((one, other) => (one.id < other.id ? 1 : -1))
    },
    async removeByStack(stack) {
      const items = await table.query(`deployments#${stack}`)
      await table.removeMany(items.map(({ pk, sk }) => ({ pk, sk })))
    },
    async listIds(stack) {
      const options = { newestFirst: true, attributes: [] }
      return (await table.query(`deployments#${stack}`, options)).map(({ sk }) => sk)
    },
    // Only running deployments have index keys.
    removeEnded: (stack, id) =>
      table.remove(
        { pk: `deployments#${stack}`, sk: id },
        { if: 'attribute_exists(#pk) AND attribute_not_exists(#gsi1pk)' },
      ),
  }
}

/** The record is there and was not written under a later lease. */
const notLaterThan = (fence: number): Condition => ({
  if: 'attribute_exists(#pk) AND (attribute_not_exists(#fence) OR #fence <= :fence)',
  values: { fence },
})

const itemOf = (deployment: Deployment): Item => ({
  pk: `deployments#${deployment.stack}`,
  sk: deployment.id,
  ...(deployment.status === 'running' ? { gsi1pk: running, gsi1sk: deployment.id } : {}),
  ...(deployment.fence === undefined ? {} : { fence: deployment.fence }),
  rev: newRevision(),
  ...packed(deployment),
})
