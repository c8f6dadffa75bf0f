import type { Deployments } from '../../functions/core/stacks/ports.ts'
import type { Deployment } from '../../functions/core/stacks/stack.ts'

/** Returns deployments in memory. */
export function memoryDeployments(): Deployments {
  const deployments = new Map<string, Deployment>()
  const newestFirst = () => [...deployments.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
  return {
    async find(stack, id) {
      const found = deployments.get(id)
      return found?.stack === stack ? structuredClone(found) : undefined
    },
    async listByStack(stack, limit) {
      const ofStack = newestFirst().filter((deployment) => deployment.stack === stack)
      return structuredClone(ofStack.slice(0, limit))
    },
    async create(deployment) {
      deployments.set(deployment.id, structuredClone(deployment))
    },
    async save(deployment) {
      const known = deployments.get(deployment.id)
      if (!known || (known.fence ?? 0) > (deployment.fence ?? 0)) return false
      deployments.set(deployment.id, structuredClone(deployment))
      return true
    },
    async listRunning() {
      return structuredClone(newestFirst().filter((deployment) => deployment.status === 'running'))
    },
    async removeByStack(stack) {
      for (const { id } of newestFirst().filter((one) => one.stack === stack))
        deployments.delete(id)
    },
    async listIds(stack) {
      return newestFirst().flatMap((one) => (one.stack === stack ? [one.id] : []))
    },
    async removeEnded(stack, id) {
      const found = deployments.get(id)
      return found?.stack === stack && found.status !== 'running' && deployments.delete(id)
    },
  }
}
