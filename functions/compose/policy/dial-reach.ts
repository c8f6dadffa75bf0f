import { registryProblem } from '../reference/registry-problem.ts'
import type { Dial } from './dial.ts'
import type { Finding } from './finding.ts'

/** Log drivers that only write to host paths chosen by the Engine. */
const allowedLogDrivers = new Set(['json-file', 'local', 'journald', 'none'])

/**
 * Yields the dials that a caller without `stacks:privileged` may not cause. Dials of a kind without
 * a rule are refused. `registries` are allowed in addition to those with public DNS names.
 */
export function* dialReach(
  dials: Iterable<Dial>,
  registries: readonly string[],
): Generator<Finding> {
  for (const { path, near, ...dial } of dials) {
    const detail = problemOf(dial, registries)
    if (detail !== undefined) yield { path, detail, near }
  }
}

function problemOf(
  { kind, target }: Pick<Dial, 'kind' | 'target'>,
  registries: readonly string[],
): string | undefined {
  const shown = JSON.stringify(target.slice(0, 100))
  switch (kind) {
    case 'registry':
      return registryProblem(target, registries)
    case 'log driver':
      if (allowedLogDrivers.has(target)) return undefined
      return `the log driver ${shown} (allowed without it: ${[...allowedLogDrivers].join(', ')})`
    case 'log option':
      // `logReach` checks each option by name and value.
      return undefined
    default:
      return `the ${kind} ${shown}, which the Engine dials or opens on its host`
  }
}
