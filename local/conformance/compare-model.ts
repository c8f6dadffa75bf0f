import { differences } from './differences.ts'
import type { Answer } from './oracle.ts'
import { normalized } from './oracle-forms.ts'

/**
 * Compares our model of a project with theirs. Returns one line per difference: `path: ours /
 * theirs`.
 */
export function compareAnswers(ours: Answer, theirs: Answer): string[] {
  if ('rejected' in ours) {
    if ('rejected' in theirs) return []
    return [`the project: refused (${ours.rejected}) / accepted`]
  }
  if ('rejected' in theirs) return [`the project: accepted / refused (${theirs.rejected})`]
  const plain = differences(ours.model, theirs.model)
  return plain.length === 0 ? [] : differences(normalized(ours.model), normalized(theirs.model))
}

/**
 * Like `compareAnswers`, for answers that can be read in several ways: the closest reading counts.
 */
export function compareNearest(ours: Answer, readings: readonly Answer[]): string[] {
  const [nearest = []] = readings
    .map((reading) => compareAnswers(ours, reading))
    .sort((one, other) => one.length - other.length)
  return nearest
}
