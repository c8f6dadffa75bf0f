import { readFileSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'

/** A file of an archive. */
export interface Entry {
  name: string
  source: string
  mode: number
}

/**
 * Writes a `.tar.gz` whose bytes depend only on the names, modes and contents of its entries and
 * on `time`, in seconds.
 */
export async function writeArchive(file: string, entries: Entry[], time: number): Promise<void> {
  const archive = pack()
  const bytes = buffer(archive)
  for (const { name, source, mode } of entries) {
    const owner = { uid: 0, gid: 0, uname: 'root', gname: 'root' }
    archive.entry({ name, mode, mtime: new Date(time * 1000), ...owner }, readFileSync(source))
  }
  archive.finalize()
  writeFileSync(file, gzipSync(await bytes, { level: 9 }))
}
