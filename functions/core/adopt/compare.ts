import { configChanged } from '../../compose/plan/compare/decide.ts'
import type { Project } from '../../compose/project.ts'
import { scaleOf } from '../../compose/used-resources.ts'
import { planDeployment } from '../deploy/prepare.ts'
import type { PreparePorts } from '../deploy/request.ts'
import { plainOptions } from '../deploy/request.ts'
import { Failure, unusable } from '../errors.ts'
import { findContainer } from '../hosts/find-container.ts'
import type { Stored } from '../ports/collection.ts'
import type { StackRecord } from '../records/stack.ts'
import { type Difference, fieldDifferences } from './differences.ts'

/** How a running project differs from its bundle. */
export interface Comparison {
  differences: Difference[]
  warnings: string[]
}

/**
 * @param running names of services
 * @throws 422 that lists the services that only the bundle or only the running project has
 */
export function checkServices(project: Project, running: readonly string[]): void {
  const known = { ...project.disabled_services, ...project.services }
  const missing = Object.entries(project.services)
    .filter(([name, service]) => scaleOf(service) > 0 && !running.includes(name))
    .map(([name]) => name)
  const unknown = [...new Set(running)].filter((name) => !Object.hasOwn(known, name))
  if (missing.length === 0 && unknown.length === 0) return
  const parts = [
    ...(unknown.length > 0 ? [`running but not in the bundle: ${unknown.sort().join(', ')}`] : []),
    ...(missing.length > 0
      ? [`in the bundle but without a container: ${missing.sort().join(', ')}`]
      : []),
  ]
  throw unusable(`project ${project.name}: its services differ; ${parts.join('; ')}`)
}

/**
 * Returns what a deploy of the adopted stack would change, by service and field, and warnings for
 * the user.
 */
export async function compare(
  stack: Stored<StackRecord>,
  ports: PreparePorts,
): Promise<Comparison> {
  const request = {
    kind: 'deploy' as const,
    stack,
    files: stack.files,
    environment: null,
    options: plainOptions,
    reach: 'host' as const,
    looksOutside: false,
  }
  // This changes nothing, and the access of the project was checked before.
  try {
    const { project, plan, snapshot, drift, engine } = await planDeployment(request, ports)
    const warnings = [
      ...drift.map(({ path }) => `${path}: the file on the host differs from the bundle`),
      ...plan.warnings,
    ]
    const differences: Difference[] = []
    for (const { action, kind, service, reason } of plan.steps) {
      if (kind !== 'container' || !service || !/^(create|recreate|remove)$/.test(action)) continue
      if (differences.some((one) => one.service === service)) continue
      const container = snapshot.containers.find((one) => one.service === service && !one.oneoff)
      if (!reason.startsWith(configChanged) || !container || !project) {
        differences.push({ service, field: reason, running: null, bundle: null })
        continue
      }
      const details = await findContainer(container.id, engine)
      if (details) differences.push(...fieldDifferences(project, service, container, details))
      else differences.push({ service, field: 'no container', running: null, bundle: null })
    }
    return { differences, warnings }
  } catch (error) {
    // The project keeps running even if a deploy would be refused, so this is only a warning.
    if (!(error instanceof Failure) || error.status === 500) throw error
    return { differences: [], warnings: [`a deploy would be rejected: ${error.message}`] }
  }
}
