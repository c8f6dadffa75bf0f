import type { Background } from '../../../functions/core/ports/background.ts'

/** Background work that a test can wait for. */
export interface MemoryBackground extends Background {
  /** Resolves when all work has ended. Rejects with the first error of failed work. */
  settled(): Promise<void>
  /** Begins a shutdown. */
  stop(): void
  /** Aborts the signal of all work, present and future. */
  abort(): void
}

/** Returns background work that starts at once. */
export function memoryBackground(processId = 'process-1'): MemoryBackground {
  const stopping = new AbortController()
  const controller = new AbortController()
  const running = new Set<Promise<void>>()
  const errors: unknown[] = []
  return {
    processId,
    stopping: stopping.signal,
    stop: () => stopping.abort(),
    run(_name, work) {
      const one = work(controller.signal)
        .catch((error) => void errors.push(error))
        .finally(() => running.delete(one))
      running.add(one)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
      if (errors.length > 0) throw errors.shift()
    },
    abort: () => controller.abort(),
  }
}
