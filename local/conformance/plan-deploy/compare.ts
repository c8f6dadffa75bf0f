import type { Json } from '../../../adapters/testing/json.ts'
import type { CallResult } from '../../harness/call.ts'

export type Caller = 'admin' | 'operator'

/** What a plan and its deploy were called with and answered. */
export interface Pair {
  plan: CallResult
  deploy: CallResult
  /** The messages of `POST /stacks/validate` for the files of the deploy. */
  validated: readonly string[]
  as: Caller
}

/** A difference between a plan and its deploy: which of the two says it, and what it says. */
export interface Difference {
  of: 'plan' | 'deploy'
  about: 'step' | 'warning' | 'refusal'
  text: string
}

/** Returns the differences between what a plan says and what the deploy says and does. */
export function differencesOf(pair: Pair): Difference[] {
  const { plan, deploy } = pair
  if (plan.status !== 200 || deploy.status !== 200) return ofRefusals(pair)
  const steps = plan.json.filter(({ action }: Json) => action !== 'warning' && action !== 'drift')
  const warnings = plan.json.filter(({ action }: Json) => action === 'warning')
  return [
    ...compared('step', steps.map(line), deploy.json.steps.map(line)),
    ...compared(
      'warning',
      warnings.map(({ reason }: Json) => reason),
      deploy.json.warnings,
    ),
  ]
}

function ofRefusals({ plan, deploy }: Pair): Difference[] {
  const textOf = ({ status, json }: CallResult) =>
    status === 200 ? [] : [`${status} ${json.reason ?? ''}: ${json.error}`]
  return compared('refusal', textOf(plan), textOf(deploy))
}

const line = ({ action, kind, name, reason }: Json) => `${action} ${kind} ${name} (${reason})`

/** Returns what one of two lists has and the other one lacks, or that their order differs. */
function compared(
  about: Difference['about'],
  plan: readonly string[],
  deploy: readonly string[],
): Difference[] {
  const only = (list: readonly string[], other: readonly string[], of: Difference['of']) =>
    list.filter((text) => !other.includes(text)).map((text) => ({ of, about, text }))
  const found = [...only(plan, deploy, 'plan'), ...only(deploy, plan, 'deploy')]
  if (found.length > 0 || about !== 'step') return found
  return ofOrder(plan, deploy)
}

/** The text of a difference in the order of steps that fetch images or write files. */
export const otherFetchOrder = 'other order of pulls, builds and files'

function ofOrder(plan: readonly string[], deploy: readonly string[]): Difference[] {
  if (plan.join('\n') === deploy.join('\n')) return []
  const others = (steps: readonly string[]) =>
    steps.filter((step) => !/^\w+ (image|files) /.test(step)).join('\n')
  const [planned, done] = [others(plan), others(deploy)]
  const text = planned === done ? otherFetchOrder : `other order:\n${done}\nthan\n${planned}`
  return [{ of: 'deploy', about: 'step', text }]
}
