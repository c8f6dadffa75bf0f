import type { EstatePlan } from '../api/types.ts'
import type { Printer } from './print.ts'
import { clean } from './text.ts'

type Step = EstatePlan['steps'][number]

/** Prints what applying a file would do, a line for each thing that it declares. */
export function showEstatePlan({ steps }: EstatePlan, print: Printer): void {
  print.table(steps, [
    { head: 'SECTION', text: ({ section }) => section },
    { head: 'NAME', text: ({ name }) => name },
    { head: 'ACTION', text: actionText, style: (text) => (text === 'refused' ? 'red' : undefined) },
    { head: 'FIELDS', text: ({ fields }) => fields.join(', ') },
  ])
  for (const { section, name, problems } of steps) {
    for (const problem of problems) print.note(clean(`${section} ${name}: ${problem}`))
  }
  print.note(summaryOf(steps))
}

const actionText = ({ action, problems }: Step) => (problems.length > 0 ? 'refused' : action)

function summaryOf(steps: readonly Step[]): string {
  const count = (action: string) => steps.filter((step) => actionText(step) === action).length
  const refused = count('refused')
  const [made, changed, same] = ['create', 'change', 'nothing'].map(count)
  const counts = `${made} to create, ${changed} to change, ${same} unchanged`
  return refused === 0 ? counts : `${counts}, ${refused} refused`
}

/** Returns the names of secrets that steps need and that are not known, sorted. */
export function missingSecrets(
  { steps }: EstatePlan,
  known: ReadonlyMap<string, string>,
): string[] {
  const needed = new Set(steps.flatMap(({ secrets }) => secrets))
  return [...needed].filter((name) => !known.has(name)).sort()
}
