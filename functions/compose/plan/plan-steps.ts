import { unprocessable } from '../errors.ts'
import type { Step, StepCall } from '../step.ts'

/** The steps of a deploy, stop or restart, and the warnings to show to the user. */
export interface Plan {
  steps: Step[]
  warnings: string[]
}

/**
 * The reason for a step and the steps that must finish first. `after` may contain undefined for
 * steps that are not needed.
 */
export interface StepContext {
  reason: string
  service?: string
  after?: readonly (number | undefined)[]
}

/**
 * The maximum number of steps. Stopping everything on a host with thousands of containers takes
 * fewer.
 */
export const stepsMax = 10_000

/**
 * Adds a step to a plan and returns its index. `after` can only name existing steps, so a plan has
 * no cycles.
 *
 * @throws 422 if the plan becomes too long
 */
export function addStep(plan: Plan, about: StepContext, call: StepCall): number {
  const index = plan.steps.length
  if (index >= stepsMax)
    throw unprocessable(`the plan has more than ${stepsMax} steps`, { reason: 'limit' })
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
