import type { Deployments } from '../../../functions/core/ports/deployments.ts'
import type { CancelRequest } from '../../../functions/core/records/cancel-request.ts'
import type { Deployment } from '../../../functions/core/records/deployment.ts'
import { isMadeIn } from '../../../functions/core/records/time-range.ts'

/** Returns an in-memory store of deployments. */
export function memoryDeployments(): Deployments {
  const deployments = new Map<string, Deployment>()
  const cancelRequests = new Map<string, CancelRequest>()
  const newestFirst = () => [...deployments.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
  return {
    async find(stack, id) {
      const found = deployments.get(id)
      return found?.stack === stack ? structuredClone(found) : undefined
    },
    async listByStack(stack, limit, { where = () => true, ...range } = {}) {
      const ofStack = newestFirst().filter(
        (one) => one.stack === stack && isMadeIn(one.id, range) && where(one),
      )
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
    async listUnaudited() {
      return structuredClone(newestFirst().filter(isUnaudited))
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
      if (found?.stack !== stack || found.status === 'running' || found.unaudited) return false
      return deployments.delete(id)
    },
    async requestCancel(stack, id, request) {
      const key = `${stack} ${id}`
      if (!cancelRequests.has(key)) cancelRequests.set(key, { ...request })
    },
    async findCancelRequest(stack, id) {
      return structuredClone(cancelRequests.get(`${stack} ${id}`))
    },
  }
}

const isUnaudited = ({ status, unaudited }: Deployment) =>
  status !== 'running' && unaudited !== undefined
