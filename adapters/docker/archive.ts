import type { Readable } from 'node:stream'
import { extract, pack } from 'tar-stream'

/** A regular file as an archive holds it. `path` is relative to where the archive is unpacked. */
export interface ArchiveFile {
  path: string
  content: Uint8Array
  mode: number
  uid?: number
  gid?: number
  /** Seconds since the epoch, with a fraction; now unless given. */
  changed?: string
}

/** The files as one tar archive, of root unless said otherwise. Directories are left to the Engine: existing ones keep their mode. */
export async function packed(files: ArchiveFile[]): Promise<Buffer> {
  const archive = pack()
  for (const { path, content, mode, uid = 0, gid = 0, changed } of files) {
    // The plain header has no place for a fraction of a second.
    const times = changed === undefined ? { mtime: new Date() } : { pax: { mtime: changed } }
    archive.entry({ name: path, mode, uid, gid, ...times }, Buffer.from(content))
  }
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

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
