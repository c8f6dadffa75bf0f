import type { Resolved, Snapshot } from '../../engine/engine.ts'
import type { Project } from '../project.ts'
import type { Plan } from './draft.ts'
import { fetchesFirst } from './image-plan.ts'
import { plan, planFiles } from './plan.ts'
import { planRestart } from './plan-restart.ts'
import { planRemove, planStop, type RemoveOptions } from './plan-stop.ts'
import type { PlanOptions } from './planning.ts'

type Containers = Pick<Snapshot, 'containers'>

/** The input of a plan. It is plain data, so that another process can make the plan. */
export type PlanQuestion =
  | {
      kind: 'deploy'
      project: Project
      snapshot: Snapshot
      resolved: Resolved
      options: PlanOptions
    }
  | { kind: 'remove'; project: Project | null; snapshot: Snapshot; options: RemoveOptions }
  | { kind: 'stop'; project: Project | null; snapshot: Containers }
  | {
      kind: 'restart'
      project: Project | null
      snapshot: Containers
      options: { services: readonly string[] }
    }

/**
 * A plan, and the pulls and builds that it depends on. The caller executes those first and then
 * plans again.
 */
export interface PlanAnswer {
  plan: Plan
  first: Plan
}

/**
 * Makes the requested plan.
 *
 * @throws 422 if the project asks for something that cannot be done
 */
export function answerPlan(question: PlanQuestion): PlanAnswer {
  const first: Plan = { steps: [], warnings: [] }
  const { kind, project, snapshot } = question
  if (kind === 'stop') return { first, plan: planStop(snapshot, project) }
  if (kind === 'restart') return { first, plan: planRestart(snapshot, project, question.options) }
  if (kind === 'remove') return { first, plan: planRemove(snapshot, project, question.options) }
  const { resolved, options } = question
  const evidence = { project, resolved, options }
  return {
    first: fetchesFirst(evidence, snapshot, (begun) => planFiles(begun, project, options)),
    plan: plan(project, snapshot, resolved, options),
  }
}
