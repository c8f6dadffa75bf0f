/** A container that was seen running or should run. */
export interface Expected {
  id: string
  stack: string | null
  service: string | null
  /** `stopped`: it does not run because a user stopped it. */
  is: 'up' | 'down' | 'stopped'
  /** Milliseconds since the epoch. */
  since: number
}

/** The restarts of a container by its policy, as the samples of its host show them. */
export interface SeenRestarts {
  /** The latest restart count. */
  count: number
  /**
   * When restarts were seen, once for each, in milliseconds since the epoch. Restarts between the
   * same two samples have the same time.
   */
  times: number[]
}

/** The history of a host that is needed to evaluate its containers. */
export interface HostWatch {
  /** The ID of the host. */
  id: string
  /** By container name. */
  expected: Record<string, Expected>
  /** By container ID. */
  restarts: Record<string, SeenRestarts>
}
