/** The fields of a plan step that are shown. */
export interface PlanStep {
  action: string
  kind: string
  name: string
  reason: string
}

/** The steps that say what happens to a container, the most telling first. */
const telling = ['recreate', 'create', 'remove', 'stop', 'start']

/**
 * Returns the steps of a plan with one line for each container: the five steps that replace one are
 * one `recreate`, and stop and start are one `restart`.
 */
export const planLines = <Step extends PlanStep>(steps: readonly Step[]): PlanStep[] =>
  stepGroups(steps).map(lineOf)

/** Returns the steps in groups: those of one container together, others alone. */
export function stepGroups<Step extends PlanStep>(steps: readonly Step[]): Step[][] {
  const groups = new Map<string | Step, Step[]>()
  for (const step of steps) {
    const key = step.kind === 'container' ? finalName(step) : step
    groups.set(key, [...(groups.get(key) ?? []), step])
  }
  return [...groups.values()]
}

/** A container that replaces another has a temporary name until that is gone. */
const finalName = ({ name }: PlanStep) => name.replace(/^[0-9a-f]{12}_/, '')

/** Returns the step that says what a group of steps does. */
export function lineOf(steps: readonly PlanStep[]): PlanStep {
  const byAction = new Map(steps.map((step) => [step.action, step]))
  const action = telling.find((one) => byAction.has(one)) ?? ''
  const main = byAction.get(action) ?? (steps[0] as PlanStep)
  if (main.kind !== 'container') return main
  const restarts = action === 'stop' && byAction.has('start')
  return { ...main, name: finalName(main), ...(restarts && { action: 'restart' }) }
}
