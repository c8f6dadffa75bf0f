import { statfs } from 'node:fs/promises'
import { type Failure, internalError } from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import type { DiskUse } from '../../../functions/core/ports/self-check.ts'

const text = 'the data disk of the service is full'

/** Returns the failure for an error that means a full disk or an exceeded quota, or undefined. */
export function diskFull(cause: unknown): Failure | undefined {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? internalError(text, { reason: 'disk-full', cause })
    : undefined
}

/** The message of a store that fails because its disk is full. */
export const fullDisk = `The store cannot write: ${text}`

/** Bytes. The store needs this much for a journal before it writes. */
const roomMin = 1024 * 1024

/** Returns why a store fails if the disk of its directory is full, or undefined. */
export async function fullDiskProblem(directory: string): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize < roomMin ? fullDisk : undefined
  } catch (error) {
    ignoreError('read the free space of the store')(error)
    return undefined
  }
}

export async function diskUse(directory: string): Promise<DiskUse> {
  const { bsize, blocks, bfree, bavail } = await statfs(directory)
  const used = (blocks - bfree) * bsize
  return { used, total: used + bavail * bsize }
}
