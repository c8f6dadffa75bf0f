import { afterAll } from 'vitest'
import { secondsUsed } from './processor-time.mjs'

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds of processor time of a test file: its process, and the programs that it started. */
    processorSeconds?: number
  }
}

/** Files without `isolate` follow each other in a process. */
const counted = globalThis as { countedProcessorSeconds?: number }

// Set first, so it runs after every other hook of the file.
// biome-ignore lint/correctness/noEmptyPattern: Vitest accepts no other first argument.
afterAll(({}, file) => {
  const used = secondsUsed()
  file.meta.processorSeconds = used - (counted.countedProcessorSeconds ?? 0)
  counted.countedProcessorSeconds = used
})
