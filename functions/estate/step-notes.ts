import type { PlannedStep } from '../core/estate/plan-estate.ts'
import type { StackRecord } from '../core/records/stack.ts'
import type { EstateForm } from './schema.ts'

type Follower = Pick<StackRecord, 'deployed' | 'id' | 'source'>

/**
 * Returns a function that returns what follows a step beside its change: a stack that runs, and
 * follows a source with `deploy`, is deployed once that source or its binding changed.
 *
 * @param stacks those that the caller sees
 */
export function stepNotes(
  estate: EstateForm,
  stacks: readonly Follower[],
  steps: readonly PlannedStep[],
): (step: PlannedStep) => string[] {
  const declared = new Map(estate.stacks.map(({ name, source }) => [name, source]))
  const running = stacks.flatMap(({ id: name, deployed, source: before }) => {
    const present = before && { source: before.source, on_change: before.onChange }
    const binding = declared.get(name) ?? present
    return deployed && binding?.on_change === 'deploy' ? [{ name, source: binding.source }] : []
  })
  const changed = new Set(
    steps.filter((step) => step.section === 'sources' && step.action === 'change').map(nameOf),
  )
  return ({ section, name, fields }) => {
    if (section === 'sources' && changed.has(name)) {
      const own = running.filter(({ source }) => source === name).map(nameOf)
      return own.length === 0 ? [] : [`it will deploy the stacks that follow it: ${own.join(', ')}`]
    }
    const own = section === 'stacks' ? running.find((one) => one.name === name) : undefined
    if (!own || !(fields.includes('source') || changed.has(own.source))) return []
    return [`it runs, and its source ${own.source} will deploy it`]
  }
}

const nameOf = ({ name }: { name: string }): string => name
