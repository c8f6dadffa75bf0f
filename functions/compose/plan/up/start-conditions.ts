import { containerName } from '../../create/labels.ts'
import { ownEntry, serviceOf } from '../../lookup.ts'
import type { DependsOn } from '../../service-parts.ts'
import type { ObservedContainer } from '../../snapshot.ts'
import { decisionOf } from '../compare/decide.ts'
import { dependencies } from '../order.ts'
import { addStep } from '../plan-steps.ts'
import type { Planning } from './planning-state.ts'

/** Service → container → the last step of its start, for the services planned so far. */
export type Started = Map<string, Map<string, number>>

/**
 * Returns the steps that the starts of a service wait for. Conditions that already hold need no
 * step. If the wait for an optional dependency fails, the executor continues. `waits` are the wait
 * steps of the plan so far; new ones are added to it.
 */
export function conditionSteps(
  planning: Planning,
  name: string,
  started: Started,
  waits: Map<string, number>,
): number[] {
  const service = serviceOf(planning.project, name)
  const steps: number[] = []
  for (const dependency of dependencies(service)) {
    if (!planning.decisions.has(dependency)) continue
    const dependsOn = ownEntry(service.depends_on, dependency) ?? plainDependency
    const starts = started.get(dependency) ?? new Map<string, number>()
    if (dependsOn.condition === 'service_started' && dependsOn.required) {
      steps.push(...starts.values())
      continue
    }
    for (const [container, observed] of targets(planning, dependency)) {
      const start = starts.get(container)
      if (start === undefined && holds(observed, dependsOn)) continue
      const key = `${container} ${dependsOn.condition} ${dependsOn.required}`
      const step =
        waits.get(key) ?? addWait(planning, { name, dependency, container, dependsOn, start })
      waits.set(key, step)
      steps.push(step)
    }
  }
  return steps
}

const plainDependency: DependsOn = { condition: 'service_started', required: true }

interface Wait {
  name: string
  dependency: string
  container: string
  dependsOn: DependsOn
  start: number | undefined
}

function addWait(planning: Planning, wait: Wait): number {
  const { condition, required } = wait.dependsOn
  return addStep(
    planning.plan,
    {
      reason: `${wait.name} depends on ${wait.dependency}`,
      service: wait.dependency,
      after: [wait.start],
    },
    { action: 'wait', kind: 'container', name: wait.container, condition, required },
  )
}

/**
 * Returns the containers that a service will have, by name, with the observed state of those that
 * exist.
 */
function targets(
  { project, decisions, renames }: Planning,
  name: string,
): Map<string, ObservedContainer | undefined> {
  const { keep, recreate, create } = decisionOf(decisions, name)
  const found = new Map<string, ObservedContainer | undefined>()
  for (const container of keep) {
    found.set(renames.get(container.id)?.to ?? container.name, container)
  }
  for (const { container } of recreate) {
    found.set(containerName(project, name, container.number), undefined)
  }
  for (const { number } of create) found.set(containerName(project, name, number), undefined)
  return found
}

function holds(container: ObservedContainer | undefined, dependsOn: DependsOn): boolean {
  if (!container) return false
  if (dependsOn.condition === 'service_healthy') return container.health === 'healthy'
  if (dependsOn.condition === 'service_started') return true
  return container.state === 'exited' && container.exitCode === 0
}
