import { withLeaseRenewal } from '../../../functions/core/leases/lease-renewal.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Leases } from '../../../functions/core/ports/leases.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { AnnouncedProcess, Processes } from '../../store/processes.ts'
import type { StoreFormatRecord } from '../../store/store-format.ts'
import type { Table } from '../../store/table.ts'
import { StartError } from '../process/start-error.ts'
import { pendingMigrations, type Release, unreadable } from './release.ts'

/** What a migration works with. */
export interface MigrationContext {
  /** This process. */
  id: string
  release: Release
  record: StoreFormatRecord
  processes: Processes
  tables: { items: Table; logs: Table }
  leases: Leases
  clock: Clock
  log: Log
  /** Makes a copy of the store and returns its path. */
  copy(): Promise<string>
  /** True if no other machine or process can use the store: the copy then stops it. */
  exclusive: boolean
  /** Aborts when the service is to stop. */
  signal: AbortSignal
}

/** How long the store stays locked after the process that converts it died. Milliseconds. */
const leaseTime = 20_000
/** Milliseconds between checks whether other processes are done. */
const pollInterval = 1000
/** Milliseconds to wait until processes that cannot read the result have exited. */
const exitTimeout = 30_000

/**
 * Converts the store to the format that this version writes, if that format is newer. One process
 * converts it; the others wait.
 *
 * @throws StartError if a process that cannot read the result is still alive
 */
export async function migrate(context: MigrationContext): Promise<void> {
  const { release, record, clock, log, signal } = context
  for (let isWaiting = false; ; isWaiting = true) {
    refuseIfStopped(signal)
    const store = await record.read()
    const problem = unreadable(store, release)
    if (problem) throw new StartError(problem)
    if (store.writtenBy > release.writes) await lowerWriter(record, release)
    if (pendingMigrations(store, release).length === 0) return
    if (await convertAlone(context)) return
    if (!isWaiting) log.info('waiting for another process, which converts the store')
    await clock.sleep(pollInterval, signal)
  }
}

/** Converts the store unless another process does. Returns whether it is converted. */
async function convertAlone(context: MigrationContext): Promise<boolean> {
  const { id, leases, clock, signal, exclusive } = context
  if (exclusive) return convert(context, signal)
  const lease = await leases.acquire('store-format', id, leaseTime)
  if (!lease) return false
  return withLeaseRenewal(lease, signal, { leases, clock }, (held) => convert(context, held.signal))
}

/** Runs the pending migrations. Returns false if the signal aborted. */
async function convert(context: MigrationContext, signal: AbortSignal): Promise<boolean> {
  const { release, record, tables, log } = context
  await allowFormat(context, release.writes, signal)
  for (const { from, to, run } of pendingMigrations(await record.read(), release)) {
    if (signal.aborted) return false
    log.info('the store is being converted', { from, to })
    await run(tables, signal)
    if (signal.aborted) return false
    // While a process writes an older format, the next start looks for such items again.
    const oldest = Math.min(to, ...(await othersOf(context)).map(({ writes }) => writes))
    await record.change((store) => ({ ...store, writtenBy: Math.max(store.writtenBy, oldest) }))
    log.info('the store is converted', { from, to })
  }
  return true
}

const othersOf = ({ id, processes }: MigrationContext) => processes.othersOf(id)

/**
 * Waits until all processes can read format `to`, copies the store, then records that it may have
 * items of that format. A process that starts meanwhile announces itself before it reads the
 * record. This process writes the record before it checks the announcements again. So at least one
 * of the two detects the other. Stops when the signal aborts.
 */
async function allowFormat(context: MigrationContext, to: number, signal: AbortSignal) {
  const { release, record, log } = context
  for (;;) {
    const before = await record.read()
    if (before.readableBy >= to) return
    await untilAllCanRead(context, to)
    log.info('the store was copied before it is converted', { path: await context.copy() })
    if (signal.aborted) return
    await record.change((store) => ({ ...store, readableBy: to, version: release.version }))
    if ((await unableToRead(context, to)).length === 0) return
    const { readableBy, version } = before
    await record.change((store) => ({ ...store, readableBy, version }))
  }
}

async function untilAllCanRead(context: MigrationContext, to: number): Promise<void> {
  const { clock, signal } = context
  const giveUpAt = clock.monotonic() + exitTimeout
  for (;;) {
    const [one] = await unableToRead(context, to)
    if (!one) return
    if (clock.monotonic() > giveUpAt) throw new StartError(stillRuns(one, to))
    await clock.sleep(pollInterval, signal)
    refuseIfStopped(signal)
  }
}

async function unableToRead(context: MigrationContext, to: number) {
  return (await othersOf(context)).filter(({ reads }) => reads < to)
}

const stillRuns = ({ id, version, machine }: AnnouncedProcess, to: number) =>
  `The store cannot be converted to format ${to}: version ${version}, which cannot read it, is still ` +
  `running (process ${id} on ${machine}). Stop it, then start this version again.`

/** @throws StartError if the service is to stop; the next start continues the conversion */
export function refuseIfStopped(signal: AbortSignal): void {
  if (signal.aborted)
    throw new StartError('stopped before the store was converted; the next start goes on with it')
}

/**
 * Records that this version writes an older format than the store has. The next start of a newer
 * version then converts the items that this version wrote.
 */
export async function lowerWriter(record: StoreFormatRecord, { writes }: Release): Promise<void> {
  await record.change((store) => ({ ...store, writtenBy: Math.min(store.writtenBy, writes) }))
}
