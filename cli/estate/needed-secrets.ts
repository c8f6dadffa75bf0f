import type { EstatePlan } from '../api/types.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import type { SecretUse } from './secret-uses.ts'
import type { SecretValue } from './secret-values.ts'

/** Returns the uses of secrets in things that are made or changed. */
export const changedUses = (plan: EstatePlan, uses: readonly SecretUse[]): SecretUse[] =>
  uses.filter((use) => isOneOf(plan, use, ['create', 'change']))

/** Returns the names of secrets that new things need and that are not known, sorted. */
export function missingSecrets(
  plan: EstatePlan,
  uses: readonly SecretUse[],
  known: ReadonlyMap<string, unknown>,
): string[] {
  const made = uses.filter((use) => isOneOf(plan, use, ['create']))
  const needed = new Set(made.map(({ secret }) => secret))
  return [...needed].filter((name) => !known.has(name)).sort()
}

function isOneOf(
  { steps }: EstatePlan,
  { section, name }: SecretUse,
  actions: readonly EstatePlan['steps'][number]['action'][],
): boolean {
  return steps.some(
    (step) => step.section === section && step.name === name && actions.includes(step.action),
  )
}

/** Prints which secrets are sent: for which thing, to which server, and where they were found. */
export function showSecretUses(
  uses: readonly SecretUse[],
  known: ReadonlyMap<string, SecretValue>,
  print: Printer,
): void {
  for (const { section, name, field, secret, server } of uses) {
    const found = known.get(secret)
    if (!found) continue
    const to = server === undefined ? '' : `, for ${server}`
    print.note(clean(`secret ${secret} from ${found.origin}: ${section} ${name}, ${field}${to}`))
  }
}
