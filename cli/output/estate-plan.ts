import type { AppliedEstate, EstatePlan } from '../api/types.ts'
import type { Printer } from './print.ts'
import { clean } from './text.ts'

type Step = EstatePlan['steps'][number]
type AppliedStep = AppliedEstate['steps'][number]

/** Prints what applying a file would do, a line for each thing that it declares. */
export function showEstatePlan({ steps }: EstatePlan, print: Printer): void {
  print.table(steps, [
    { head: 'SECTION', text: ({ section }) => section },
    { head: 'NAME', text: ({ name }) => name },
    { head: 'ACTION', text: actionText, style: (text) => (text === 'refused' ? 'red' : undefined) },
    { head: 'FIELDS', text: ({ fields }) => fields.join(', ') },
  ])
  noteProblems(steps, print)
  const [made, changed, same, refused = 0] = ['create', 'change', 'nothing', 'refused'].map(
    (action) => steps.filter((step) => actionText(step) === action).length,
  )
  const counts = `${made} to create, ${changed} to change, ${same} unchanged`
  print.note(refused === 0 ? counts : `${counts}, ${refused} refused`)
}

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

/** Returns the names of secrets that new things need and that are not known, sorted. */
export function missingSecrets(
  { steps }: EstatePlan,
  known: ReadonlyMap<string, string>,
): string[] {
  const made = steps.filter(({ action }) => action === 'create')
  const needed = new Set(made.flatMap(({ secrets }) => secrets))
  return [...needed].filter((name) => !known.has(name)).sort()
}
