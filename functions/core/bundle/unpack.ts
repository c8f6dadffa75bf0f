import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { Failure, invalid } from '../errors.ts'
import { markHandled } from '../promises.ts'
import { drained, writeAll } from '../tar/write-all.ts'
import { type BundleLimits, checkEntry, type EntryType, newSeenEntries } from './entry.ts'

/**
 * A file, directory or link of a bundle. Read `content` to its end before you ask for the next
 * entry.
 */
export interface BundleEntry {
  path: string
  type: EntryType
  /** The target of a link, unchecked; empty for others. */
  link: string
  mode: number
  size: number
  content: AsyncIterable<Uint8Array>
}

/** Maximum bytes between the contents of two entries: headers and padding. More is an attack. */
const headerBytesMax = 1024 * 1024

/**
 * Yields the entries of a packed bundle (tar, gzip) in order, in bounded memory.
 *
 * @throws 400 if the archive is invalid, truncated or larger than the limits, or an entry is unsafe
 */
export async function* unpack(
  packed: AsyncIterable<Uint8Array>,
  limits: BundleLimits,
): AsyncIterable<BundleEntry> {
  const archive = extract()
  const progress = { bytes: 0, until: headerBytesMax }
  const feeding = markHandled(
    writeAll(archive, counted(gunzipped(packed), progress, limits.unpackedMax)),
  )
  const seen = newSeenEntries()
  /** Returns the first cause: the streams replace it with errors of their own. */
  const reason = async (error: unknown) => {
    archive.destroy()
    const first = await feeding.then(
      () => error,
      (cause) => cause,
    )
    if (error instanceof Failure) return error
    return first instanceof Failure ? first : unreadable(first)
  }
  try {
    for await (const entry of archive) {
      const { type, linkname, mode = 0, size = 0 } = entry.header
      progress.until = progress.bytes + size + headerBytesMax
      const path = checkEntry(entry.header, seen, limits)
      const content = withReason(entry as AsyncIterable<Uint8Array>, reason)
      yield { path, type: type as EntryType, link: linkname ?? '', mode, size, content }
    }
    await feeding
  } catch (error) {
    throw await reason(error)
  } finally {
    archive.destroy()
    await Promise.allSettled([feeding])
  }
}

/** Passes chunks on and replaces an error with its reason. */
async function* withReason(
  chunks: AsyncIterable<Uint8Array>,
  reason: (error: unknown) => Promise<Failure>,
): AsyncIterable<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw await reason(error)
  }
}

const unreadable = (cause: unknown) => invalid('bundle: not a complete tar.gz archive', { cause })

/** Passes chunks on and limits their number of bytes, in total and between two entries. */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  progress: { bytes: number; until: number },
  unpackedMax: number,
): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    if (progress.bytes > progress.until)
      throw invalid('bundle: the header of an entry is too large')
    progress.bytes += chunk.length
    if (progress.bytes > unpackedMax)
      throw invalid(`bundle: unpacked it is larger than ${unpackedMax} bytes`)
    yield chunk
  }
}

async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 })
  const closed = new Promise<void>((resolve) => {
    gunzip.once('close', () => resolve())
  })
  const feeding = (async () => {
    try {
      for await (const part of packed) {
        if (gunzip.destroyed) return
        if (!gunzip.write(part)) await Promise.race([closed, drained(gunzip)])
      }
      gunzip.end()
    } catch (error) {
      gunzip.destroy(error as Error)
    }
  })()
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array
  } finally {
    gunzip.destroy()
    await feeding
  }
}
