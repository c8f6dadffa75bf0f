import type { Step } from '../step.ts'
import type { Plan } from './plan-steps.ts'

/**
 * Formats a plan for people and tests: one line per step,
 * `index action kind name (reason) after indexes`, and one line per warning. It contains no bodies
 * and so no secrets.
 */
export function planText(plan: Plan): string {
  return [
    ...plan.steps.map(stepText),
    ...plan.warnings.map((warning) => `warning: ${warning}`),
  ].join('\n')
}

function stepText(step: Step): string {
  const after = step.after.length > 0 ? ` after ${step.after.join(' ')}` : ''
  return `${step.index} ${stepTitle(step)} (${step.reason})${after}`
}

/** Describes a step: `rename container 0123456789ab_shop-web-1 to shop-web-1`. */
export function stepTitle(step: Step): string {
  const title = `${step.action} ${step.kind} ${step.name}`
  switch (step.action) {
    case 'connect':
      return `${title} to ${step.container}`
    case 'disconnect':
      return `${title} from ${step.container}`
    case 'rename':
      return `${title} to ${step.to}`
    case 'wait':
      return `${title} until ${step.condition}`
    default:
      return title
  }
}
