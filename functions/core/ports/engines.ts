import type { Engine } from './engine.ts'

export interface Engines {
  /**
   * Returns the Engine of a host.
   *
   * @throws 404 if the host does not exist
   */
  on(hostId: string): Promise<Engine>
}
