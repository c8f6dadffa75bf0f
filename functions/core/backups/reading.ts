import { conflict } from '../errors.ts'
import { holderOf } from '../given-back.ts'
import type { Needs } from '../ports.ts'
import { whileHeld } from '../stacks/lease.ts'
import { readingLease } from './run.ts'
import { takeGivenBack } from './take-given-back.ts'

/** How long a backup stays taken after who read it died. Milliseconds. */
const held = 10_000

/**
 * Reads a backup while nobody removes it, for a restore's run or whoever has that id. Throws a `Failure` 409 while somebody else reads
 * or removes it. The signal of `read` is aborted when that cannot be promised any more.
 */
export async function whileRead<T>(
  runId: string,
  readerId: string,
  signal: AbortSignal,
  ports: Needs<'background' | 'backupRuns' | 'clock' | 'leases'>,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const holder = holderOf(ports.background.processId, readerId)
  const lease = await takeGivenBack(readingLease(runId), holder, held, ports)
  if (!lease) throw conflict('the backup is being read or removed: try again when that is done')
  return whileHeld(lease, signal, ports, read)
}
