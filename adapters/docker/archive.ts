import type { Readable } from 'node:stream'
import { extract } from 'tar-stream'

/** The head of an archive's entry, and its content for those that were asked for. */
export interface ArchiveEntry {
  name: string
  type: string
  mode: number
  uid: number
  gid: number
  /** Where a link leads; empty for what is none. */
  linkname: string
  /** Empty for what is no regular file or not wanted. */
  content: Buffer
}

/** The entries of an archive in their order. Reading breaks off when the caller does. Content is kept of `wanted` names only. */
export async function* unpacked(
  source: Readable,
  wanted: (name: string) => boolean,
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
      const keep = type === 'file' && wanted(name)
      for await (const chunk of entry) if (keep) chunks.push(chunk as Buffer)
      yield {
        name,
        type: type ?? '',
        mode: mode & 0o7777,
        uid,
        gid,
        linkname: linkname ?? '',
        content: Buffer.concat(chunks),
      }
    }
  } finally {
    source.destroy()
    archive.destroy()
  }
}
