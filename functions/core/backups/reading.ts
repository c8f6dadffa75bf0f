import { conflict } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { whileHeld } from '../stacks/lease.ts'
import { readingLease } from './run.ts'

/** How long a backup stays taken after who read it died. Milliseconds. */
const held = 10_000

/**
 * Reads a backup while nobody removes it. Throws a `Failure` 409 while somebody else reads or removes it. The signal of `read` is
 * aborted when that cannot be promised any more.
 */
export async function whileRead<T>(
  runId: string,
  signal: AbortSignal,
  ports: Needs<'background' | 'clock' | 'leases' | 'random'>,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const holder = `${ports.background.processId}/${ports.random.id()}`
  const lease = await ports.leases.take(readingLease(runId), holder, held)
  if (!lease) throw conflict('the backup is being read or removed: try again when that is done')
  const { result } = await whileHeld(lease, signal, ports, read)
  return result
}
