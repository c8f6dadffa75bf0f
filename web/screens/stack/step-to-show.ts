import type { Deployment } from '../../data/stack-operations.ts'

type Step = Deployment['steps'][number]

/** Returns the step that says most of several: the one that failed, that runs, or is next. */
export function stepToShow(steps: readonly Step[]): Step {
  const of = (status: Step['status']) => steps.find((step) => step.status === status)
  const last = steps.at(-1)
  if (!last) throw new Error('a change has at least one step')
  return of('failed') ?? of('running') ?? of('pending') ?? of('skipped') ?? last
}
