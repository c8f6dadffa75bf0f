import type { ObservedContainer, ObservedNetwork } from '../snapshot.ts'
import type { EngineBody } from '../step.ts'

/** A container on the simulated host: its observed state and the body of its create call. */
export type SimulatedContainer = ObservedContainer & { image: string; body: EngineBody }

/**
 * A simulated host for tests of plans. It refuses what an Engine would refuse, so that tests detect
 * a wrong order of steps.
 */
export interface SimulatedHost {
  containers: SimulatedContainer[]
  networks: ObservedNetwork[]
  volumes: Map<string, Record<string, string>>
  /** Reference → image ID. */
  images: Map<string, string>
  /** Images whose containers exit at once with code 0. */
  jobs: Set<string>
  count: number
}
