import type { HostGauges } from '../../../functions/core/ports/host-gauges.ts'
import type { OwnProcess } from '../../../functions/core/ports/own-process.ts'
import type { HostFigures } from '../../../functions/core/records/metrics.ts'

/** Gauges that a test sets by host id; other hosts have none. */
export interface MemoryHostGauges extends HostGauges {
  readonly figures: Map<string, HostFigures>
}

/** Returns in-memory host gauges. */
export function memoryHostGauges(): MemoryHostGauges {
  const figures = new Map<string, HostFigures>()
  return { figures, read: async (hostId) => figures.get(hostId) }
}

/** A process in no container that has answered two requests. */
export const memoryOwnProcess: OwnProcess = {
  place: {
    id: 'machine:/data',
    container: 'none',
    machine: 'machine',
    dataDirectory: '/data',
    engineId: null,
    store: null,
  },
  figures: () => ({
    requests: [{ method: 'GET', route: '/me', status: 200, count: 2, seconds: 0.5 }],
    unhandledErrors: [{ kind: 'rejection', count: 0 }],
    ignoredErrors: [{ work: 'release a lease', count: 3 }],
    residentBytes: 80_000_000,
    heapBytes: 20_000_000,
    cpuSeconds: 1.5,
    startedAt: 1_780_000_000,
  }),
}
