/** What a machine uses at one moment, as far as it can be known. Sizes in bytes. */
export interface HostFigures {
  /** Of all its processors together, 0 to 100, since it was last asked; null for the first time. */
  cpuPercent: number | null
  memory: number | null
  memoryTotal: number | null
  /** Of the file system that the Engine keeps its data on; null where the asked program does not see it. */
  disk: number | null
  diskTotal: number | null
}

/** What machines use: the Engine does not say it, so the service asks its own system, and the agents theirs. */
export interface HostGauges {
  /** Nothing for a machine that nobody can ask, as an Engine behind a TCP address. Rejects when it does not answer. */
  read(hostId: string, signal: AbortSignal): Promise<HostFigures | undefined>
}

/** A part in percent, with two digits; null where one of both is not known. */
export function percentOf(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || whole <= 0) return null
  return Math.round((part / whole) * 10_000) / 100
}
