import { unprocessable } from '../../errors.ts'
import type { Step, StepCall } from '../step.ts'

/** What a deploy, stop or restart would do, and what a person should know about it. */
export interface Plan {
  steps: Step[]
  warnings: string[]
}

/** Why a step is there and what must be done before it. Steps that do not exist may stand in `after` as undefined. */
export interface About {
  reason: string
  service?: string
  after?: readonly (number | undefined)[]
}

/**
 * The longest plan. One that stops everything on a host with thousands of containers is shorter.
 */
export const stepsMax = 10_000

/**
 * Adds a step to a plan and answers with its index. `after` can only name steps that are there
 * already, so that no plan has a cycle. Throws a `Failure` 422 for a plan that becomes too long.
 */
export function add(plan: Plan, about: About, call: StepCall): number {
  const index = plan.steps.length
  if (index >= stepsMax) throw unprocessable(`the plan has more than ${stepsMax} steps`)
  const after = [...new Set(about.after)].filter((step) => step !== undefined)
  plan.steps.push({
    index,
    after: after.sort((left, right) => left - right),
    reason: about.reason,
    service: about.service ?? null,
    ...call,
  })
  return index
}
