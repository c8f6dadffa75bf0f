import { systemArchive } from '../../../functions/core/backups/system/system-archive.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import { exportItems } from '../../store/export.ts'
import type { StoreTables } from '../../store/store.ts'
import { hasAuthority } from '../keys/authority.ts'
import { type SystemPlace, systemFiles } from './system-files.ts'

/**
 * Returns the service's own state for backups: the store's items, read through its API, and files
 * of the data directory.
 */
export function openSystemArchive(place: SystemPlace, store: StoreTables, clock: Clock) {
  const source = {
    files: (startedAt: number) => systemFiles(place, startedAt),
    items: (signal: AbortSignal) => exportItems(store, clock, signal),
  }
  return {
    read: (signal: AbortSignal) => systemArchive(source, clock, signal),
    hasAuthority: async () => hasAuthority(place),
  }
}
