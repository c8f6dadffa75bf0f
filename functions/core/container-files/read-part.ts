import { createHash } from 'node:crypto'
import { invalid } from '../errors.ts'

/** A part of an archive. */
export interface ArchivePart {
  data: Buffer
  /** Where the next part begins; null for the last one. */
  next: number | null
  /** The SHA-256, in hex, of all bytes before this part. */
  digestBefore: string
}

/** Bytes of an archive that can be read. Each part is read from the beginning of the archive. */
export const archiveBytesMax = 256 * 1024 * 1024

/**
 * Returns a part of an archive. The bytes before it are read and dropped, because the Engine has no
 * other way; their digest shows the client whether the files changed since the last part.
 *
 * @throws 400 if the archive is larger than 256 MiB
 */
export async function readPart(
  archive: AsyncIterable<Uint8Array>,
  offset: number,
  limit: number,
): Promise<ArchivePart> {
  const before = createHash('sha256')
  const kept: Uint8Array[] = []
  let at = 0
  let hasMore = false
  for await (const chunk of archive) {
    const skipped = Math.max(0, Math.min(chunk.length, offset - at))
    before.update(chunk.subarray(0, skipped))
    const end = Math.min(chunk.length, offset + limit - at)
    if (end > skipped) kept.push(chunk.subarray(skipped, end))
    at += chunk.length
    hasMore = at > offset + limit
    if (hasMore) break
  }
  const data = Buffer.concat(kept)
  const next = offset + data.length
  if (hasMore && next >= archiveBytesMax) {
    throw invalid(`path: its archive is larger than ${archiveBytesMax} bytes`)
  }
  return { data, next: hasMore ? next : null, digestBefore: before.digest('hex') }
}
