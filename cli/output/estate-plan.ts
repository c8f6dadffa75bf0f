import type { AppliedEstate, EstatePlan } from '../api/types.ts'
import type { Printer } from './print.ts'
import { clean } from './text.ts'

type Step = EstatePlan['steps'][number]
type AppliedStep = AppliedEstate['steps'][number]

/** Returns a plan that shows what is deleted before all else, as that cannot be taken back. */
export const deletionsFirst = (plan: EstatePlan): EstatePlan => ({
  ...plan,
  steps: [
    ...plan.steps.filter(({ action }) => action === 'delete'),
    ...withoutDeletions(plan).steps,
  ],
})

/** Returns what an apply does that deletes nothing. */
export const withoutDeletions = (plan: EstatePlan): EstatePlan => ({
  ...plan,
  steps: plan.steps.filter(({ action }) => action !== 'delete'),
})

export const countDeletions = ({ steps }: EstatePlan): number =>
  steps.filter(({ action }) => action === 'delete').length

/** Prints what applying a file would do, a line for each thing that it declares. */
export function showEstatePlan({ steps }: EstatePlan, print: Printer): void {
  print.table(steps, [
    { head: 'SECTION', text: ({ section }) => section },
    { head: 'NAME', text: ({ name }) => name },
    { head: 'ACTION', text: actionText, style: (text) => planColours.get(text) },
    { head: 'FIELDS', text: ({ fields }) => fields.join(', ') },
  ])
  noteProblems(steps, print)
  for (const { section, name, effect, notes } of steps) {
    if (effect !== undefined) print.note(clean(`delete ${section} ${name}: ${effect}`))
    for (const note of notes) print.note(clean(`${section} ${name}: ${note}`))
  }
  const actions = ['create', 'change', 'nothing', 'unknown', 'delete', 'refused']
  const [made, changed, same, unknown = 0, deleted = 0, refused = 0] = actions.map(
    (action) => steps.filter((step) => actionText(step) === action).length,
  )
  const counts = [`${made} to create`, `${changed} to change`, `${same} unchanged`]
  if (unknown > 0) counts.push(`${unknown} unknown`)
  if (deleted > 0) counts.push(`${deleted} to delete`)
  if (refused > 0) counts.push(`${refused} refused`)
  print.note(counts.join(', '))
}

const planColours = new Map(Object.entries({ refused: 'red', delete: 'red' } as const))

/** Prints what applying a file did, a line for each thing that it declares. */
export function showAppliedEstate({ steps }: AppliedEstate, print: Printer): void {
  print.table(steps, [
    { head: 'SECTION', text: ({ section }) => section },
    { head: 'NAME', text: ({ name }) => name },
    { head: 'ACTION', text: ({ action }) => action },
    { head: 'STATE', text: ({ state }) => state, style: (text) => colours.get(text) },
  ])
  noteProblems(steps, print)
}

const colours = new Map(
  Object.entries({ done: 'green', failed: 'red', skipped: 'yellow' } as const),
)

function noteProblems(
  steps: readonly Pick<Step | AppliedStep, 'name' | 'problems' | 'section'>[],
  print: Printer,
): void {
  for (const { section, name, problems } of steps) {
    for (const problem of problems) print.note(clean(`${section} ${name}: ${problem}`))
  }
}

const actionText = ({ action, problems }: Step) => (problems.length > 0 ? 'refused' : action)

/** Returns whether a step cannot be done. */
export const isRefused = ({ steps }: EstatePlan): boolean =>
  steps.some(({ action, problems }) => problems.length > 0 || action === 'unknown')
