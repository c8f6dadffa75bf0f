import type { Deployment } from '../../data/stack-operations.ts'
import { t } from '../../text/text.ts'
import { changesOf } from './plan-changes.ts'
import type { ServiceStatus } from './service-row.ts'

/**
 * Returns how a deployment ended, in words: "Deployed in 4.2 s".
 *
 * @param took how long it took: "4.2 s"
 */
export function endWords({ kind, status }: Deployment, took: string): string {
  if (status === 'succeeded') return t.stack.endedIn[kind](took)
  return status === 'failed' ? t.home.verbFailed[kind] : t.stack.deploymentStates[status]
}

/**
 * Returns how many containers a deploy of the whole stack left as they were. Returns 0 for other
 * deployments, and for one that did not succeed.
 */
export function unchangedCount(
  { kind, status, services, steps }: Deployment,
  rows: readonly Pick<ServiceStatus, 'name'>[],
): number {
  const isWhole = (kind === 'deploy' || kind === 'rollback') && services.length === 0
  if (!isWhole || status !== 'succeeded') return 0
  const touched = new Set(
    changesOf(steps).flatMap(({ kind: what, name }) => (what === 'container' ? [name] : [])),
  )
  return rows.filter(({ name }) => name !== null && !touched.has(name)).length
}
