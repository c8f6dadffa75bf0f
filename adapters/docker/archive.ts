import type { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { fileBytesMax } from '../../functions/core/engine/engine.ts'

/** The header of an archive's entry, and its content if it was requested. */
export interface ArchiveEntry {
  name: string
  type: string
  mode: number
  uid: number
  gid: number
  /** The target of a link; empty for other entries. */
  linkname: string
  /**
   * Empty unless the entry is a regular file whose content was requested. If the file is too long,
   * this is one byte longer than `fileBytesMax`, and the entry is the last one.
   */
  content: Buffer
}

/**
 * Yields the entries of an archive in order, with the content of `wanted` names. Reading stops when
 * the caller stops, when `isOver` returns true, and after a wanted file that is too long.
 */
export async function* unpacked(
  source: Readable,
  wanted: (name: string) => boolean,
  isOver: () => boolean = () => false,
): AsyncIterable<ArchiveEntry> {
  const archive = extract()
  source.on('error', (error) => archive.destroy(error))
  source.on('close', () => {
    if (!source.readableEnded) archive.destroy(new Error('the archive was cut off'))
  })
  source.pipe(archive)
  try {
    for await (const entry of archive) {
      const { name, type, mode = 0, uid = 0, gid = 0, linkname } = entry.header
      const chunks: Buffer[] = []
      let length = 0
      const keep = type === 'file' && wanted(name)
      for await (const chunk of entry as AsyncIterable<Buffer>) {
        if (isOver()) return
        if (keep) chunks.push(chunk)
        if (keep) length += chunk.length
        if (length > fileBytesMax) break
      }
      yield {
        name,
        type: type ?? '',
        mode: mode & 0o7777,
        uid,
        gid,
        linkname: linkname ?? '',
        content: Buffer.concat(chunks).subarray(0, fileBytesMax + 1),
      }
      if (length > fileBytesMax) return
    }
  } finally {
    source.destroy()
    archive.destroy()
  }
}
