import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { hasCode } from '../failure.ts'
import type { FolderEntry } from './folder-entry.ts'
import { fileBytesMax } from './folder-files.ts'

/** The content of a file, read at one moment. */
export interface Content {
  bytes: Buffer
  /** In hex. */
  sha256: string
}

/** Attempts to read a file that changes meanwhile. */
const triesMax = 3

/**
 * Returns the content of a file, or why it cannot be sent: it vanished, is no longer a regular
 * file, or changes whenever it is read.
 */
export async function readContent(
  entry: Extract<FolderEntry, { source: string }>,
): Promise<Content | string> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const bytes = await readOnce(entry.source)
    if (typeof bytes === 'string') return bytes
    if (bytes) return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
  }
  return 'changes while it is read'
}

/** Returns undefined if the file changed while it was read. */
async function readOnce(path: string): Promise<Buffer | string | undefined> {
  try {
    // A link or a FIFO may have taken the place of the file since it was found.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    await using file = await open(path, flags)
    const before = await file.stat()
    if (!before.isFile()) return 'is no longer a regular file'
    if (before.size > fileBytesMax) return 'larger than 16 MiB'
    const bytes = await file.readFile()
    const after = await file.stat()
    const isSame = after.mtimeMs === before.mtimeMs && after.size === bytes.length
    return isSame ? bytes : undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return 'vanished while it was read'
    if (hasCode(error, 'ELOOP')) return 'is no longer a regular file'
    if (!hasCode(error, 'EACCES', 'EPERM', 'EIO', 'ENXIO')) throw error
    return 'cannot be read'
  }
}
