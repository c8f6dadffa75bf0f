import { type PlanStep, planLines } from './plan-lines.ts'
import type { Printer } from './print.ts'
import type { StepDetail } from './step-lines.ts'

/** Prints what a deploy does, with a line for each container or, if verbose, for each step. */
export function printPlan(
  steps: readonly PlanStep[],
  print: Printer,
  { verbose }: StepDetail,
): void {
  if (steps.length === 0) print.line('nothing to do')
  else {
    print.table(verbose ? steps : planLines(steps), [
      { head: 'ACTION', text: (step) => step.action },
      { head: 'KIND', text: (step) => step.kind },
      { head: 'NAME', text: (step) => step.name },
      { head: 'REASON', text: (step) => step.reason },
    ])
  }
}
