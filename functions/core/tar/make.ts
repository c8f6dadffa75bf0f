import { pack } from 'tar-stream'

/** A file of an archive. `path` is relative to the directory it is unpacked in. */
export interface ArchiveFile {
  path: string
  /** The target of a symbolic link, which has no content. */
  link?: string
  content: Uint8Array
  mode: number
  uid?: number
  gid?: number
  /** Modification time in seconds since the epoch, with a fraction; now by default. */
  changed?: string
  /** The time in the plain header; now by default. A fixed time makes the archive reproducible. */
  modified?: Date
}

/**
 * Packs files into one tar archive, owned by root by default. There are no entries for directories,
 * so existing directories keep their mode.
 */
export async function tarOf(files: readonly ArchiveFile[]): Promise<Buffer> {
  const archive = pack()
  for (const { path, link, content, mode, uid = 0, gid = 0, changed, modified } of files) {
    // The plain header has no room for fractions of a second.
    const time = changed !== undefined && { pax: { mtime: changed } }
    const header = { name: path, mode, uid, gid, mtime: modified, ...time }
    if (link !== undefined) archive.entry({ ...header, type: 'symlink', linkname: link })
    else archive.entry(header, Buffer.from(content))
  }
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** A tar archive ends with two blocks of zeros. */
const endBytes = 1024

/** Returns the same archive without its end marker, so that another archive can follow. */
export async function beginTar(files: readonly ArchiveFile[]): Promise<Buffer> {
  const whole = await tarOf(files)
  return whole.subarray(0, whole.length - endBytes)
}
