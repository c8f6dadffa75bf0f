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
 * The resource usage of machines. The Engine does not report it, so the service reads that of its
 * own machine and agents report theirs.
 */
export interface HostGauges {
  /**
   * Returns undefined for a machine that cannot be asked, such as an Engine behind a TCP address.
   * Rejects if the machine does not answer.
   */
  read(hostId: string, signal: AbortSignal): Promise<HostFigures | undefined>
}

/** Returns a percentage with two decimals; null if either value is unknown. */
export function percentOf(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || whole <= 0) return null
  return Math.round((part / whole) * 10_000) / 100
}
