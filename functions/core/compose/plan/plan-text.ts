import type { Step } from '../step.ts'
import type { Plan } from './draft.ts'

/**
 * A plan as text for people and tests: a line per step, `index action kind name (reason) after indexes`, and a line per
 * warning. No bodies, so nothing secret.
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

/** What a step does, in words: `rename container 0123456789ab_shop-web-1 to shop-web-1`. */
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
