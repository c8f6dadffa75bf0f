import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { fileBytesMax } from '../../../functions/core/ports/engine.ts'
import type { Helper } from '../helper-containers/helper.ts'
import type { EngineClient } from '../transport/client.ts'
import { extracting } from './extracting.ts'

/** Milliseconds for transferring a whole archive. */
export const archiveDeadline = 60_000

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
  const archive = extracting(source)
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

/** Returns the archive of a path in the helper's directory. */
export function archive(client: EngineClient, helper: Helper, path: string, signal?: AbortSignal) {
  return client.stream({
    method: 'GET',
    path: `/containers/${helper.id}/archive`,
    query: { path: posix.join(helper.base, path) },
    signal,
    deadline: archiveDeadline,
  })
}
