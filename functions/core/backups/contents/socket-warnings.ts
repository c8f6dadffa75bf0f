import { Failure } from '../../errors.ts'
import type { Needs } from '../../ports/ports.ts'
import type { FilePlace } from '../../records/host-engine.ts'
import { hasOwnDirectory } from '../../records/stack.ts'
import { getStack } from '../../stacks/stack-record.ts'
import type { BackupPart } from './backup-parts.ts'
import { socketsText } from './left-out-texts.ts'
import type { ArchiveSource } from './part-archive.ts'

/**
 * Returns the warning about the sockets of a part: the archives of an Engine do not contain them,
 * and do not say so.
 */
export async function socketWarnings(
  part: BackupPart,
  { engine, owner, signal }: ArchiveSource,
  ports: Needs<'stacks' | 'log'>,
): Promise<string[]> {
  try {
    const place = await placeOf(part, ports)
    const found = place && (await engine.findSockets(place, owner, signal))
    return found && found.count > 0 ? [socketsText(part, found)] : []
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    // A backup without this warning is better than none. A stack may have no directory.
    if (error.status !== 404) {
      ports.log.warn('the sockets of a backup could not be looked up', { part: part.label, error })
    }
    return []
  }
}

/** Returns what a part reads on the host. */
async function placeOf(part: BackupPart, ports: Needs<'stacks'>): Promise<FilePlace | undefined> {
  if (part.kind === 'system') return undefined
  if (part.kind === 'volume') return { kind: 'volume', name: part.source }
  const stack = await getStack(part.source, ports)
  return hasOwnDirectory(stack) ? { kind: 'directory', path: stack.directory } : undefined
}
