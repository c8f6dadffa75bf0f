import { load, loadAll } from '../../functions/core/compose/load/load.ts'
import type { Composer } from '../../functions/core/stacks/ports.ts'
import { expectations } from '../../functions/core/stacks/project.ts'

/** Loads on the spot, with no worker and no limit of time. */
export function memoryComposer(): Composer {
  return {
    async load(input) {
      return load(input)
    },
    async check(inputs) {
      const [first] = loadAll(inputs)
      return first ? expectations(first.project) : {}
    },
  }
}
