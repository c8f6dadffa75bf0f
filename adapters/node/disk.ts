import { statfs } from 'node:fs/promises'
import { broken, type Failure } from '../../functions/core/errors.ts'

const text = 'the data disk of the service is full'

/** Returns the failure for an error that says that a disk, or what a user may use of it, is full; else nothing. */
export function diskFull(cause: unknown): Failure | undefined {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' ? broken(text, { cause }) : undefined
}

/** A store needs room for a journal before it writes. Bytes. */
const roomMin = 1024 * 1024

/** Returns the text for a store that fails while the disk of its directory is full; else nothing. */
export async function fullStore(directory: string): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize < roomMin ? `The store cannot write: ${text}` : undefined
  } catch {
    return undefined
  }
}

/** Returns how much of a directory's disk is used, as df says it. Bytes. */
export async function diskUse(directory: string): Promise<{ used: number; total: number }> {
  const { bsize, blocks, bfree, bavail } = await statfs(directory)
  const used = (blocks - bfree) * bsize
  return { used, total: used + bavail * bsize }
}
