import { LeaseWatch } from '../../functions/core/leases/lease-watch.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import { type Item, newRevision, ttlAt } from './item.ts'
import type { Table } from './table.ts'

/** A process of the service, as it announces itself to the others that use the store. */
export interface AnnouncedProcess {
  id: string
  version: string
  /** The name of its machine. */
  machine: string
  /** The formats of the store that it reads and writes. */
  reads: number
  writes: number
}

/** The processes that use a store. */
export interface Processes {
  /** Announces a process. Call it again at least every `announceEvery` milliseconds. */
  announce(process: AnnouncedProcess): Promise<void>
  /** Removes a process that ends. */
  leave(id: string): Promise<void>
  /**
   * Returns the other processes that may be alive: those that were not yet seen to be silent for
   * `silentMax` milliseconds, by the monotonic clock of this process.
   */
  othersOf(id: string): Promise<AnnouncedProcess[]>
}

export const announceEvery = 5000
const silentMax = 20_000
const day = 86_400_000

/**
 * Stores each process as an item (`processes`, process id) that it writes again and again. A
 * process of a version that does not announce itself is found by its heartbeat for agents
 * (`sidecars`), and counts as one that knows the first format only.
 */
export function storedProcesses(table: Table, clock: Clock): Processes {
  const watch = new LeaseWatch()
  const isAlive = ({ pk, sk, rev, until }: Item, asked: number) => {
    const beat = Number(rev ?? until)
    return watch.unchangedFor(`${pk} ${sk}`, beat, asked, clock.monotonic()) < silentMax
  }
  return {
    async announce({ id, ...process }) {
      // Rounded up to a day, so that the index changes only daily.
      const ttl = ttlAt(Math.ceil((clock.now() + day) / day) * day)
      await table.put({ pk: 'processes', sk: id, ...process, ttl, rev: newRevision() })
    },
    async leave(id) {
      await table.remove({ pk: 'processes', sk: id })
    },
    async othersOf(id) {
      const asked = clock.monotonic()
      const [announced, sidecars] = await Promise.all([
        table.query('processes'),
        table.query('sidecars'),
      ])
      const known = new Set([id, ...announced.map(({ sk }) => sk)])
      const silent = sidecars.filter(({ sk }) => !known.has(sk))
      return [...announced.filter(({ sk }) => sk !== id), ...silent]
        .filter((item) => isAlive(item, asked))
        .map(processOf)
    },
  }
}

const processOf = ({ sk, version, machine, reads, writes }: Item): AnnouncedProcess => ({
  id: sk,
  version: String(version ?? '0.1.0'),
  machine: String(machine ?? 'unknown'),
  reads: Number(reads ?? 1) || 0,
  writes: Number(writes ?? 1) || 0,
})
