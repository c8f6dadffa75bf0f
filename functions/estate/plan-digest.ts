import { createHash } from 'node:crypto'
import { keyOf, type PlannedStep, type WantedThing } from '../core/estate/plan-estate.ts'
import type { FoundThing } from './found-things.ts'

/**
 * Returns a digest of a plan: of what the file declares, and of the actions, fields and editions of
 * all steps. With the same digest, an apply does what was planned.
 */
export function planDigest(
  steps: readonly PlannedStep[],
  wanted: readonly WantedThing[],
  found: ReadonlyMap<string, FoundThing>,
): string {
  const planned = steps.map((step) => {
    const { section, name, action, fields } = step
    const thing = found.get(keyOf(step))
    return [section, name, action, fields, thing?.createdAt ?? null, thing?.edition ?? null]
  })
  const declared = wanted.map(({ section, name, fields }) => [section, name, [...fields]])
  return createHash('sha256')
    .update(JSON.stringify([planned, declared]))
    .digest('hex')
}
