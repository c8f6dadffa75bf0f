import { statfs } from 'node:fs/promises'
import { broken, type Failure } from '../../functions/core/errors.ts'
import type { DiskUse } from '../../functions/core/self-check.ts'

const text = 'the data disk of the service is full'

/** Returns the failure for an error that means a full disk or an exceeded quota, or undefined. */
export function diskFull(cause: unknown): Failure | undefined {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' ? broken(text, { cause }) : undefined
}

/** Bytes. The store needs this much for a journal before it writes. */
const roomMin = 1024 * 1024

/** Returns why a store fails if the disk of its directory is full, or undefined. */
export async function fullStore(directory: string): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize < roomMin ? `The store cannot write: ${text}` : undefined
  } catch {
    return undefined
  }
}

export async function diskUse(directory: string): Promise<DiskUse> {
  const { bsize, blocks, bfree, bavail } = await statfs(directory)
  const used = (blocks - bfree) * bsize
  return { used, total: used + bavail * bsize }
}
