import type { Stored } from '../collection.ts'
import { scaleOf } from '../compose/plan/wanted.ts'
import type { Project } from '../compose/project.ts'
import { Failure, unprocessable } from '../errors.ts'
import { makeReady, type OrderPorts, plainOptions } from '../stacks/order.ts'
import type { StackRecord } from '../stacks/stack.ts'
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
  throw unprocessable(`project ${project.name}: its services differ; ${parts.join('; ')}`)
}

/**
 * Returns what a deploy of the adopted stack would change, by service and field, and warnings for
 * the user.
 */
export async function compare(stack: Stored<StackRecord>, ports: OrderPorts): Promise<Comparison> {
  const order = { kind: 'deploy' as const, stack, files: stack.files, environment: null }
  // This changes nothing, and the access of the project was checked before.
  try {
    const ready = await makeReady({ ...order, options: plainOptions, reach: 'host' }, ports)
    const { project, plan, snapshot, drift, engine } = ready
    const warnings = [
      ...drift.map(({ path }) => `${path}: the file on the host differs from the bundle`),
      ...plan.warnings,
    ]
    const differences: Difference[] = []
    for (const { action, kind, service, reason } of plan.steps) {
      if (kind !== 'container' || !service || !/^(create|recreate|remove)$/.test(action)) continue
      if (differences.some((one) => one.service === service)) continue
      const container = snapshot.containers.find((one) => one.service === service && !one.oneoff)
      if (reason !== 'config changed' || !container || !project) {
        differences.push({ service, field: reason, running: null, bundle: null })
        continue
      }
      const details = await engine.container(container.id)
      differences.push(...fieldDifferences(project, service, container, details))
    }
    return { differences, warnings }
  } catch (error) {
    // The project keeps running even if a deploy would be refused, so this is only a warning.
    if (!(error instanceof Failure) || error.status === 500) throw error
    return { differences: [], warnings: [`a deploy would be rejected: ${error.message}`] }
  }
}
