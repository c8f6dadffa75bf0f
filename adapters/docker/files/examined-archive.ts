import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ExpectedFile, HostEntry } from '../../../functions/core/records/host-engine.ts'
import { extracting } from './extracting.ts'

/** An entry of an archive: a file or a link, or undefined for anything else. */
export interface ExaminedEntry {
  name: string
  entry: HostEntry | undefined
}

/**
 * Yields the entries of an archive in order, with the digests of the files that have the expected
 * size. Nothing is kept in memory. Reading stops when the caller stops and when `isOver` returns
 * true.
 */
export async function* examined(
  source: Readable,
  expected: (name: string) => ExpectedFile | undefined,
  isOver: () => boolean = () => false,
): AsyncIterable<ExaminedEntry> {
  const archive = extracting(source)
  try {
    for await (const entry of archive) {
      const { name, type, mode = 0, size = 0, linkname } = entry.header
      const isWanted = type === 'file' && expected(name) === size
      const hash = createHash('sha256')
      for await (const chunk of entry as AsyncIterable<Buffer>) {
        if (isOver()) return
        if (isWanted) hash.update(chunk)
      }
      const sha256 = isWanted ? hash.digest('hex') : null
      if (type === 'file') yield { name, entry: { sha256, size, mode: mode & 0o7777 } }
      else if (type === 'symlink') yield { name, entry: { link: linkname ?? '' } }
      else yield { name, entry: undefined }
    }
  } finally {
    source.destroy()
    archive.destroy()
  }
}
