import type { Project } from '../project.ts'
import type { Resolved, Snapshot } from '../snapshot.ts'
import { addWrite } from './add-write.ts'
import { planPrefetch } from './fetch/plan-fetches.ts'
import { type FetchOptions, planServiceBuild, planServicePull } from './fetch/pull-and-build.ts'
import type { Plan } from './plan-steps.ts'
import { planRestart } from './stop/plan-restart.ts'
import { planPause, planServiceStop, planUnpause } from './stop/plan-service-stop.ts'
import { planRemove, planStop, type RemoveOptions, type StopOptions } from './stop/plan-stop.ts'
import type { CreatorOptions, ServiceOptions } from './stop/service-containers.ts'
import { plan } from './up/plan-project.ts'
import { planServiceStart } from './up/plan-service-start.ts'
import type { PlanOptions } from './up/planning-state.ts'

type Containers = Pick<Snapshot, 'containers'>

/** The input of a plan. It is plain data, so that another process can make the plan. */
export type PlanRequest = CreatorOptions & PlanQuestion

type PlanQuestion =
  | {
      kind: 'deploy'
      project: Project
      snapshot: Snapshot
      resolved: Resolved
      options: PlanOptions
    }
  | { kind: 'remove'; project: Project | null; snapshot: Snapshot; options: RemoveOptions }
  | { kind: 'pull' | 'build'; project: Project; snapshot: Containers; options: FetchOptions }
  | { kind: 'stop'; project: Project | null; snapshot: Containers; options: StopOptions }
  | {
      kind: 'restart' | 'start' | 'pause' | 'unpause' | 'stop services'
      project: Project | null
      snapshot: Containers
      options: ServiceOptions
    }

/**
 * A plan, and one with the pulls and builds that it depends on. The caller executes `prefetch`,
 * then plans again.
 */
export interface PlanResult {
  plan: Plan
  prefetch: Plan
}

/**
 * Makes the requested plan.
 *
 * @throws 422 if the project asks for something that cannot be done
 */
export function makePlan(request: PlanRequest): PlanResult {
  const none: Plan = { steps: [], warnings: [] }
  if (request.kind !== 'deploy') return { prefetch: none, plan: planWithoutFetches(request) }
  const { project, snapshot, resolved, options, creators = [] } = request
  const evidence = { project, resolved, options }
  return {
    prefetch: planPrefetch(evidence, snapshot, (plan) => addWrite(plan, project, options)),
    plan: plan(project, snapshot, resolved, { ...options, creators }),
  }
}

function planWithoutFetches(request: Exclude<PlanRequest, { kind: 'deploy' }>): Plan {
  const { project, snapshot, creators = [] } = request
  switch (request.kind) {
    case 'pull':
      return planServicePull(request.project, request.options)
    case 'build':
      return planServiceBuild(request.project, request.options)
    case 'stop':
      return planStop(snapshot, project, { ...request.options, creators })
    case 'remove':
      return planRemove(request.snapshot, project, { ...request.options, creators })
    case 'restart':
      return planRestart(snapshot, project, { ...request.options, creators })
    case 'start':
      return planServiceStart(snapshot, project, { ...request.options, creators })
    case 'stop services':
      return planServiceStop(snapshot, project, { ...request.options, creators })
    case 'pause':
      return planPause(snapshot, request.options)
    case 'unpause':
      return planUnpause(snapshot, request.options)
  }
}
