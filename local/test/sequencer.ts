import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { recordedDurations } from './durations.mjs'

/** Seconds that each of the longer test files took, by its path. */
const durations = recordedDurations().files

/**
 * Starts the files that take longest first, always in the same order. Vitest would go by the size
 * of the files, so that each edit would make other files run at the same time.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification) =>
      durations[relative(this.ctx.config.root, moduleId)] ?? 0
    return [...files].sort(
      (a, b) => secondsOf(b) - secondsOf(a) || (a.moduleId < b.moduleId ? -1 : 1),
    )
  }
}
