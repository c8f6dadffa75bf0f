import type { Engine } from './engine.ts'

export interface Engines {
  /** The Engine of a host. Throws a `Failure` 404 for an unknown host. */
  on(hostId: string): Promise<Engine>
}
