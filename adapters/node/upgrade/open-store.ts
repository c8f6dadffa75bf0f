import { hostname } from 'node:os'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import { isStoreEmpty } from '../../store/import.ts'
import { storedLeases } from '../../store/leases.ts'
import { announceEvery, type Processes, storedProcesses } from '../../store/processes.ts'
import type { StoreTables } from '../../store/store.ts'
import { type StoreFormatRecord, storeFormatRecord } from '../../store/store-format.ts'
import { systemClock } from '../process/clock.ts'
import { StartError } from '../process/start-error.ts'
import { lowerWriter, migrate, refuseIfStopped } from './migrate.ts'
import { type Release, thisRelease, unreadable } from './release.ts'

/** A store that this version can use, until `outdated` resolves. */
export interface OpenedStore {
  /**
   * Resolves with the reason if another process changed the store to a format that this version
   * cannot read: the process must shut down. Other processes do that only if they took this one
   * for dead.
   */
  readonly outdated: Promise<string>
  /** Tells the other processes that this one no longer uses the store. */
  close(): Promise<void>
}

export interface OpenOptions {
  /** The id of this process. */
  id: string
  log: Log
  /** Makes a copy of the store before it is converted, and returns its path. */
  copy(): Promise<string>
  /** The store belongs to this process alone. */
  exclusive: boolean
  /** Aborts when the service is to stop. */
  signal: AbortSignal
  release?: Release
}

/**
 * Checks the format of a store before anything else in it is read, and records that of a new one.
 * The tables must exist.
 *
 * @throws StartError if this version cannot read the store
 */
export async function checkFormat(tables: StoreTables, release = thisRelease): Promise<void> {
  const record = storeFormatRecord(tables.items)
  const store = (await record.find()) ?? (await firstFormat(tables, record, release))
  const problem = unreadable(store, release)
  if (problem) throw new StartError(problem)
}

/**
 * Announces this process to the others, and converts the store to the format of this version.
 * `checkFormat` must have succeeded.
 *
 * @throws StartError if this version cannot use the store, or cannot convert it now
 */
export async function openStore(
  { items, logs }: StoreTables,
  options: OpenOptions,
): Promise<OpenedStore> {
  const { id, release = thisRelease } = options
  const record = storeFormatRecord(items)
  const clock = systemClock
  const processes = storedProcesses(items, clock)
  const { version, reads, writes } = release
  const announce = () => processes.announce({ id, version, machine: hostname(), reads, writes })
  await announce()
  const beats = keepAnnouncing(announce, record, release)
  try {
    const leases = storedLeases(items, clock)
    const tables = { items, logs }
    await migrate({ ...options, release, record, processes, tables, leases, clock })
  } catch (error) {
    await beats.end(processes, id)
    refuseIfStopped(options.signal)
    throw error
  }
  return { outdated: beats.outdated, close: () => beats.end(processes, id) }
}

/** Records the format of a new store, or of one from before there was a record. */
async function firstFormat(tables: StoreTables, record: StoreFormatRecord, release: Release) {
  const format = (await isStoreEmpty(tables)) ? release.writes : 1
  return record.create({ readableBy: format, writtenBy: format, version: release.version })
}

/** Announces this process regularly, and looks whether it can still read the store. */
function keepAnnouncing(
  announce: () => Promise<void>,
  record: StoreFormatRecord,
  release: Release,
) {
  const over = new AbortController()
  let tell = (_problem: string) => {}
  const outdated = new Promise<string>((resolve) => {
    tell = resolve
  })
  const beat = async () => {
    await announce()
    const store = await record.read()
    const problem = unreadable(store, release)
    if (problem) tell(problem)
    else if (store.writtenBy > release.writes) await lowerWriter(record, release)
  }
  const loop = (async () => {
    while (!over.signal.aborted) {
      await systemClock.sleep(announceEvery, over.signal)
      if (!over.signal.aborted) await beat().catch(ignoreError('announce this process'))
    }
  })()
  return {
    outdated,
    async end(processes: Processes, id: string) {
      over.abort()
      await loop
      await processes.leave(id).catch(ignoreError('announce the end of this process'))
    },
  }
}
