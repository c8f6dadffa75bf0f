/** The resource usage of a machine at one moment. Sizes are bytes; unknown values are null. */
export interface HostFigures {
  /**
   * Usage of all processors together since the previous reading, 0 to 100; null for the first one.
   */
  cpuPercent: number | null
  memory: number | null
  memoryTotal: number | null
  /**
   * Usage of the file system with the Engine's data; null if the program that reads it cannot see
   * it.
   */
  disk: number | null
  diskTotal: number | null
}

/**
 * The resource usage of a container at one moment. Times are milliseconds since the epoch, sizes
 * bytes, as in `ContainerUsage`.
 */
export interface ContainerPoint {
  at: number
  cpuPercent: number | null
  memory: number
  memoryPercent: number
  networkRx: number
  networkTx: number
  blockRead: number
  blockWrite: number
  pids: number
}

/** The state of a host at one moment. The figures are null if it did not respond. */
export interface HostPoint extends HostFigures {
  at: number
  up: boolean
  /** The number of running containers. */
  running: number
  total: number
}

/** A sample of a host: its own figures and those of its running containers, by `sampledId`. */
export interface HostSample {
  host: HostPoint
  containers: { id: string; point: Omit<ContainerPoint, 'at'> }[]
}
