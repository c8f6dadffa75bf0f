import { notFound } from '../../../functions/core/errors.ts'
import type { Engine } from '../../../functions/core/ports/engine.ts'
import type { Engines } from '../../../functions/core/ports/engines.ts'

/** Engines by host id. */
export interface MemoryEngines extends Engines {
  readonly byHost: Map<string, Engine>
}

/** Returns the given Engines by host id; a test can add others to `byHost`. */
export function memoryEngines(engines: Record<string, Engine> = {}): MemoryEngines {
  const byHost = new Map(Object.entries(engines))
  return {
    byHost,
    async on(hostId) {
      const engine = byHost.get(hostId)
      if (!engine) throw notFound(`No host has the id ${hostId}`)
      return engine
    },
  }
}
