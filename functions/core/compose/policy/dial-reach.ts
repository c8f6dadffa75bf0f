import { registryProblem } from '../../registries/allowed.ts'
import type { Dial } from './dials.ts'
import type { Finding } from './policy.ts'

/** Log drivers that write on the host alone, in a place of the Engine's own choice. */
const logDrivers = new Set(['json-file', 'local', 'journald', 'none'])

/**
 * Yields the dials that a caller without `stacks:privileged` may not cause. All are refused that no
 * rule allows, so that a new kind is too. `registries` are those that are allowed besides the ones
 * with public DNS names.
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
      if (logDrivers.has(target)) return undefined
      return `the log driver ${shown} (without it: ${[...logDrivers].join(', ')})`
    case 'log option':
      // `logReach` allows options one by one, by name and value.
      return undefined
    default:
      return `the ${kind} ${shown}, which the Engine dials or opens on its host`
  }
}
