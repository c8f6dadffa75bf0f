import { pack } from 'tar-stream'

/** A regular file as an archive holds it. `path` is relative to where the archive is unpacked. */
export interface ArchiveFile {
  path: string
  content: Uint8Array
  mode: number
  uid?: number
  gid?: number
  /** Seconds since the epoch, with a fraction; now unless given. */
  changed?: string
  /**
   * The time in the plain header; now by default. With a fixed time the archive is reproducible.
   */
  modified?: Date
}

/** The files as one tar archive, of root unless said otherwise. Directories are left out: existing ones keep their mode. */
export async function tarOf(files: readonly ArchiveFile[]): Promise<Buffer> {
  const archive = pack()
  for (const { path, content, mode, uid = 0, gid = 0, changed, modified } of files) {
    // The plain header, which has the time of now, has no place for a fraction of a second.
    const time = changed !== undefined && { pax: { mtime: changed } }
    archive.entry({ name: path, mode, uid, gid, mtime: modified, ...time }, Buffer.from(content))
  }
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** What ends a tar archive: two blocks of zeros. */
const endBytes = 1024

/** The same without the archive's end: another archive may follow. */
export async function beginTar(files: readonly ArchiveFile[]): Promise<Buffer> {
  const whole = await tarOf(files)
  return whole.subarray(0, whole.length - endBytes)
}
