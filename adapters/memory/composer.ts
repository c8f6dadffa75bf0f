import { load } from '../../functions/core/compose/load/load.ts'
import type { Composer } from '../../functions/core/ports.ts'

/** Loads on the spot, with no worker and no limit of time. */
export function memoryComposer(): Composer {
  return {
    async load(input) {
      return load(input)
    },
  }
}
