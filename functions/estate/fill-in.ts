import { invalid } from '../core/errors.ts'
import type { EstateAction } from '../core/estate/plan-estate.ts'
import { isReference } from './secrets-in.ts'

/** Returns the value of a secret. Undefined: the stored one is kept. */
export type SecretOf = (name: string) => string | undefined

/**
 * Returns how a step looks up secrets. A new thing needs all of its secrets. One that is there
 * keeps those that are not given.
 *
 * The function throws 400 if a secret is needed and not given.
 */
export const secretsOfStep =
  (action: EstateAction, given: ReadonlyMap<string, string>): SecretOf =>
  (name) => {
    const value = given.get(name)
    if (value !== undefined || action === 'change') return value
    throw invalid(`the secret ${name} is missing: give it with the file`)
  }

/** Returns a part of a file with the values of its secrets. Those that are kept are undefined. */
export function fillIn(part: unknown, secretOf: SecretOf): unknown {
  if (typeof part !== 'object' || part === null) return part
  if (isReference(part)) return secretOf(part.from)
  if (Array.isArray(part)) return part.map((one) => fillIn(one, secretOf))
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, fillIn(value, secretOf)]),
  )
}
