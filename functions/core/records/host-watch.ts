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

/** The history of a host that is needed to evaluate its containers. */
export interface HostWatch {
  /** The ID of the host. */
  id: string
  /** By container name. */
  expected: Record<string, Expected>
  /** By container ID: the latest restart count, and the times of new restarts. */
  restarts: Record<string, { count: number; times: number[] }>
}
