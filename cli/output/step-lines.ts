import type { Deployment } from '../api/types.ts'
import { lineOf, stepGroups } from './plan-lines.ts'
import { doingWord, doneWord } from './step-words.ts'
import { clean } from './text.ts'

type Step = Deployment['steps'][number]

/** What a deployment does to one thing, such as a container, in one line. */
export interface StepLine {
  action: string
  /** For example `container shop-web-1`. */
  subject: string
  reason: string
  status: Step['status']
  /** Milliseconds of the steps that have ended, or null before the first one has. */
  ms: number | null
  error: string | null
  /** What happens or happened, such as `recreated`. */
  word: string
}

/** How much is shown of a deployment. */
export interface StepDetail {
  /** A line for each step, not for each container. */
  verbose?: boolean
}

/** Returns a line for each thing that the steps of a deployment are about, or for each step. */
export const stepLines = (
  { steps }: Pick<Deployment, 'steps'>,
  { verbose }: StepDetail = {},
): StepLine[] =>
  (verbose ? steps.map((step) => [step]) : stepGroups(steps)).map((group) => {
    const { kind, name, reason, ...main } = lineOf(group)
    const status = statusOf(group)
    const culprit = group.find((step) => step.status === 'failed')
    const action = culprit?.action ?? main.action
    const times = group.flatMap(({ ms }) => ms ?? [])
    return {
      action: clean(action),
      status,
      reason: clean(reason),
      subject: clean(`${kind} ${name}`),
      ms: times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0),
      error: culprit?.error ?? null,
      word: clean(wordOf(action, status)),
    }
  })

function statusOf(steps: readonly Step[]): Step['status'] {
  const has = (status: Step['status']) => steps.some((step) => step.status === status)
  if (has('failed')) return 'failed'
  if (has('running')) return 'running'
  if (!has('pending')) return has('done') ? 'done' : 'skipped'
  return has('done') ? 'running' : 'pending'
}

function wordOf(action: string, status: Step['status']): string {
  if (status === 'running') return doingWord(action)
  if (status === 'done') return doneWord(action)
  return status === 'pending' ? '' : status
}
