import type { ComposeInput, LoadedProject } from '../../functions/core/compose/project.ts'
import type { Composer } from '../../functions/core/ports.ts'

/** Loads on the spot, with no worker and no limit of time. */
export function memoryComposer(): Composer {
  return {
    async load(input) {
      const loader: { load(input: ComposeInput): LoadedProject } = await import(loaderPath)
      return loader.load(input)
    },
  }
}

const loaderPath: string = '../../functions/core/compose/load.ts'
