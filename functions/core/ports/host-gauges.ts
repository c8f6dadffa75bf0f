import type { HostFigures } from '../records/metrics.ts'

/**
 * The resource usage of machines. The Engine does not report it, so the service reads that of its
 * own machine and agents report theirs.
 */
export interface HostGauges {
  /**
   * Returns undefined for a machine that cannot be asked, such as an Engine behind a TCP address.
   * Rejects if the machine does not respond.
   */
  read(hostId: string, signal: AbortSignal): Promise<HostFigures | undefined>
}
