import { systemArchive } from '../../functions/core/backups/system-archive.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import type { StoreClient } from '../dynamo/client.ts'
import { exportItems } from '../dynamo/export.ts'
import { type SystemPlace, systemFiles } from './system-files.ts'

/**
 * Returns the service's own state for backups: the store's items, read through its API, and files
 * of the data directory.
 */
export function openSystemArchive(place: SystemPlace, client: StoreClient, clock: Clock) {
  const source = {
    files: (startedAt: number) => systemFiles(place, startedAt),
    items: (signal: AbortSignal) => exportItems(client, clock, signal),
  }
  return { read: (signal: AbortSignal) => systemArchive(source, clock, signal) }
}
