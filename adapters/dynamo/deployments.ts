import type { Clock } from '../../functions/core/runtime.ts'
import type { Deployments } from '../../functions/core/stacks/ports.ts'
import type { Deployment } from '../../functions/core/stacks/stack.ts'
import { type Item, newRevision, packed, unpacked } from './item.ts'
import { absent, type Table } from './table.ts'

/** How long a row without its deployment is left alone, and how long that is certain. Milliseconds. */
const orphanAge = 30_000
const announcedAge = 10_000

/**
 * A deployment is an item under its stack (`deployments#<stack>`, id), so that a list is one query. As long as it runs a
 * row (`deployments-running`, id) leads to it, written before it and removed after it says that it ended: a running one
 * is never missing from the list. Rows that are left over are removed where they are found.
 */
export function dynamoDeployments(table: Table, clock: Clock): Deployments {
  const read = async (stack: string, id: string) => {
    const item = await table.get(`deployments#${stack}`, id)
    return item && unpacked<Deployment>(item)
  }
  const announce = async (stack: string, id: string) => {
    const at = clock.now()
    await table.put({ pk: 'deployments-running', sk: id, stack, at })
    return { id, at }
  }
  return {
    find: read,
    async listByStack(stack, limit) {
      const items = await table.query(`deployments#${stack}`, { newestFirst: true, limit })
      return items.map((item) => unpacked<Deployment>(item))
    },
    announce,
    async create(deployment, announced) {
      const { id, stack } = deployment
      const fresh = announced?.id === id && clock.now() < announced.at + announcedAge
      if (deployment.status === 'running' && !fresh) await announce(stack, id)
      await table.put(itemOf(deployment), absent)
    },
    async save(deployment) {
      const exists = { if: 'attribute_exists(#pk)' }
      const saved = await table.put(itemOf(deployment), exists)
      if (!saved || deployment.status === 'running') return
      // Nobody needs to wait for it.
      void table.remove({ pk: 'deployments-running', sk: deployment.id }).catch(() => {})
    },
    async listRunning() {
      const rows = await table.query('deployments-running', { newestFirst: true })
      const found = await Promise.all(rows.map((row) => read(row.stack as string, row.sk)))
      const over = rows.filter((row, index) => isOver(row, found[index], clock.now()))
      await table.removeMany(over.map(({ pk, sk }) => ({ pk, sk })))
      return found.filter((deployment) => deployment?.status === 'running') as Deployment[]
    },
    async removeByStack(stack) {
      const items = await table.query(`deployments#${stack}`)
      await table.removeMany(items.map(({ pk, sk }) => ({ pk, sk })))
      await table.removeMany(items.map(({ sk }) => ({ pk: 'deployments-running', sk })))
    },
  }
}

const itemOf = (deployment: Deployment): Item => ({
  pk: `deployments#${deployment.stack}`,
  sk: deployment.id,
  rev: newRevision(),
  ...packed(deployment),
})

/** A row left behind: its deployment ended, or never came. */
function isOver(row: Item, deployment: Deployment | undefined, now: number) {
  return deployment ? deployment.status !== 'running' : (row.at as number) + orphanAge <= now
}
